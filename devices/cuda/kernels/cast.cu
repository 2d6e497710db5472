// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <type_traits>

#include "troupe/devices/cuda/kernels/complex_input.hpp"
#include "troupe/devices/cuda/kernels/row_kernels.hpp"
#include "troupe/devices/cuda/offsets.hpp"

namespace troupe::cuda {

namespace {

template <class To>
struct conversion_row {
  static constexpr int inputs = 1;
  static constexpr bool costly = false;
  template <class From>
  static TROUPE_BOTH To apply(From x) noexcept {
    return converted<To>(x);
  }
};

template <class From, class To>
void launch(const kernel_args& args, stream& on) {
  if (args.outputs[0].size() == 0) return;
  if (plain_row<conversion_row<To>, To, From, From> plain; plain.take(args)) plain.launch(on);
  else any_row<conversion_row<To>, To, To, To>::launch(args, on);  // converts as it reads
}

/// Elements of a narrow integer dtype.
struct narrow_integers {
  void* data;
  dtype type;

  TROUPE_BOTH std::int64_t read(std::int64_t i) const {
    switch (type) {
      case dtype::int8: return static_cast<const std::int8_t*>(data)[i];
      case dtype::int16: return static_cast<const std::int16_t*>(data)[i];
      case dtype::uint8: return static_cast<const std::uint8_t*>(data)[i];
      case dtype::uint16: return static_cast<const std::uint16_t*>(data)[i];
      default: return static_cast<const std::uint32_t*>(data)[i];
    }
  }
  template <class From>
  TROUPE_BOTH void write(std::int64_t i, From x) const {
    switch (type) {
      case dtype::int8: return store<std::int8_t>(i, x);
      case dtype::int16: return store<std::int16_t>(i, x);
      case dtype::uint8: return store<std::uint8_t>(i, x);
      case dtype::uint16: return store<std::uint16_t>(i, x);
      default: return store<std::uint32_t>(i, x);
    }
  }

 private:
  template <class To, class From>
  TROUPE_BOTH void store(std::int64_t i, From x) const {
    static_cast<To*>(data)[i] = converted<To>(x);
  }
};

template <class To>
struct from_narrow {
  narrow_integers in;
  To* out;
  offsets<1> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    out[i] = converted<To>(in.read(positions(i)));
  }
};

template <class From>
struct to_narrow {
  const From* in;
  narrow_integers out;
  offsets<1> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const { out.write(i, in[positions(i)]); }
};

struct between_narrow {
  narrow_integers in, out;
  offsets<1> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const { out.write(i, in.read(positions(i))); }
};

template <class To>
void launch_from_narrow(const kernel_args& args, stream& on) {
  const auto &in = args.inputs[0], &out = args.outputs[0];
  for_each(on, out.size(), from_narrow<To>{{in.data, in.type}, out.as<To>(), offsets_of(in)});
}

template <class From>
void launch_to_narrow(const kernel_args& args, stream& on) {
  const auto &in = args.inputs[0], &out = args.outputs[0];
  for_each(on, out.size(),
           to_narrow<From>{in.as<const From>(), {out.data, out.type}, offsets_of(in)});
}

void launch_between_narrow(const kernel_args& args, stream& on) {
  const auto &in = args.inputs[0], &out = args.outputs[0];
  for_each(on, out.size(),
           between_narrow{{in.data, in.type}, {out.data, out.type}, offsets_of(in)});
}

template <class To>
struct conversion_to_complex {
  complex_input<To> in;
  To* out;
  offsets<1> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const { out[i] = in.read(positions(i)); }
};

template <class To>
void launch_to_complex(const kernel_args& args, stream& on) {
  const auto& out = args.outputs[0];
  conversion_to_complex<To> f{{}, out.as<To>(), offsets_of(args.inputs[0])};
  f.in.take(args, 0);
  for_each(on, out.size(), f);
}

/// True for numbers that differ from 0.
struct truth_of_complex {
  complex_input<complex_number<double>> in;
  bool* out;
  offsets<1> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const { out[i] = in.read(positions(i)) != 0; }
};

void launch_truth(const kernel_args& args, stream& on) {
  const auto& out = args.outputs[0];
  truth_of_complex f{{}, out.as<bool>(), offsets_of(args.inputs[0])};
  f.in.take(args, 0);
  for_each(on, out.size(), f);
}

template <auto Launch>
constexpr kernel launched{.launch = Launch};

template <class From, class To>
const kernel* kernel_of() noexcept {
  constexpr bool from = is_narrow_integer(dtype_of<From>()), to = is_narrow_integer(dtype_of<To>());
  if constexpr (from && to) return &launched<launch_between_narrow>;
  else if constexpr (from) return &launched<launch_from_narrow<To>>;
  else if constexpr (to) return &launched<launch_to_narrow<From>>;
  else return &launched<launch<From, To>>;
}

const kernel* to_complex(dtype to) noexcept {
  return to == complex64 ? &launched<launch_to_complex<complex_number<float>>>
                         : &launched<launch_to_complex<complex_number<double>>>;
}

}  // namespace

const kernel* astype_kernel(dtype from, dtype to) noexcept {
  if (from == to) return copy_kernel(to);
  if (is_complex(to)) return to_complex(to);
  if (is_complex(from)) return to == boolean ? &launched<launch_truth> : nullptr;
  return visit(from, [to](auto first) {
    return visit(to, [](auto second) { return kernel_of<decltype(first), decltype(second)>(); });
  });
}

}  // namespace troupe::cuda
