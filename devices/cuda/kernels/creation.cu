// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <cstring>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/cuda/kernels/conversion.hpp"
#include "troupe/devices/cuda/kernels/fill_memory.hpp"
#include "troupe/devices/cuda/offsets.hpp"
#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cuda {

namespace {

template <class T>
T value_of(const scalar_attribute& x) noexcept {
  if constexpr (is_floating(dtype_of<T>())) return static_cast<T>(x.real);
  else return static_cast<T>(x.integer);
}

template <class T>
std::uint64_t repeated(T value) noexcept {
  T values[sizeof(std::uint64_t) / sizeof(T)];
  for (T& v : values) v = value;
  std::uint64_t word;
  std::memcpy(&word, values, sizeof word);
  return word;
}

template <class T>
struct fill_complex {
  complex_number<T>* out;
  complex_number<T> value;

  TROUPE_BOTH void operator()(std::int64_t i) const { out[i] = value; }
};

void launch_fill(const kernel_args& args, stream& on) {
  const array& out = args.outputs[0];
  const auto& value = static_cast<const full_attributes*>(args.attributes)->value;
  if (is_complex(out.type))
    return visit_complex(out.type, [&]<class T>(complex_number<T>) {
      const complex_number<T> number(static_cast<T>(value.real), static_cast<T>(value.imaginary));
      for_each(on, out.size(), fill_complex<T>{out.as<complex_number<T>>(), number});
    });
  visit(out.type, [&](auto zero) { fill(on, out, repeated(value_of<decltype(zero)>(value))); });
}

template <class T>
struct arange {
  T* out;
  double start, step;
  std::uint64_t whole_start, whole_step;  // they wrap

  TROUPE_BOTH void operator()(std::int64_t i) const {
    if constexpr (is_floating(dtype_of<T>()))
      out[i] = static_cast<T>(static_cast<double>(i) * step + start);
    else out[i] = static_cast<T>(whole_start + static_cast<std::uint64_t>(i) * whole_step);
  }
};

template <class T>
void launch_arange(const kernel_args& args, stream& on) {
  const array& out = args.outputs[0];
  const auto& a = *static_cast<const arange_attributes*>(args.attributes);
  for_each(
      on, out.size(),
      arange<T>{out.as<T>(), a.start.real, a.step.real, static_cast<std::uint64_t>(a.start.integer),
                static_cast<std::uint64_t>(a.step.integer)});
}

template <class T>
struct linspace {
  T* out;
  linspace_attributes range;
  std::int64_t last;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    out[i] = rounded(i == last ? range.stop : static_cast<double>(i) * range.step + range.start);
  }

  TROUPE_BOTH static T rounded(double x) {
    if constexpr (is_integer(dtype_of<T>())) return converted<T>(scalar_functions::floor(x));
    else return static_cast<T>(x);
  }
};

template <class T>
void launch_linspace(const kernel_args& args, stream& on) {
  const array& out = args.outputs[0];
  const auto size = out.size();
  const auto& range = *static_cast<const linspace_attributes*>(args.attributes);
  for_each(on, size, linspace<T>{out.as<T>(), range, range.with_stop && size > 1 ? size - 1 : -1});
}

template <class T>
struct eye {
  T* out;
  offsets<1> distance;  // of an element from its matrix's main diagonal
  std::int64_t diagonal;
  T one;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    out[i] = distance(i) == diagonal ? one : T(0);
  }
};

template <class T>
void launch_eye(const kernel_args& args, stream& on) {
  const array& out = args.outputs[0];
  if (out.size() == 0) return;
  const auto rows = out.shape[out.rank - 2], columns = out.shape[out.rank - 1];
  loop_nest axes{
      .rank = 3, .shape = {out.size() / (rows * columns), rows, columns}, .strides = {{0, -1, 1}}};
  const auto one =
      visit(out.type, [](auto zero) { return repeated(static_cast<decltype(zero)>(1)); });
  for_each(
      on, out.size(),
      eye<T>{out.as<T>(), offsets<1>(axes),
             static_cast<const eye_attributes*>(args.attributes)->diagonal, static_cast<T>(one)});
}

constexpr kernel fill_any{.launch = launch_fill};
template <class T>
constexpr kernel arange_of{.launch = launch_arange<T>};
template <class T>
constexpr kernel linspace_of{.launch = launch_linspace<T>};
template <class T>
constexpr kernel eye_of{.launch = launch_eye<T>};

}  // namespace

const kernel* full_kernel(dtype) noexcept { return &fill_any; }

const kernel* arange_kernel(dtype type) noexcept {
  if (!is_computed(type) || type == boolean) return nullptr;
  return visit_computed(type,
                        [](auto zero) -> const kernel* { return &arange_of<decltype(zero)>; });
}

const kernel* linspace_kernel(dtype type) noexcept {
  if (!is_computed(type) || type == boolean) return nullptr;
  return visit_computed(type,
                        [](auto zero) -> const kernel* { return &linspace_of<decltype(zero)>; });
}

const kernel* eye_kernel(dtype type) noexcept {
  if (is_complex(type)) return nullptr;
  switch (size_of(type)) {
    case 1: return &eye_of<std::uint8_t>;
    case 4: return &eye_of<std::uint32_t>;
    default: return &eye_of<std::uint64_t>;
  }
}

}  // namespace troupe::cuda
