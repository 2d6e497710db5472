// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <complex>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/fft_plan.hpp"
#include "troupe/devices/cpu/workspace.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr double least_work = 100'000;  // steps that are worth a chunk

std::int64_t last_size(const array& x) noexcept { return x.shape[x.rank - 1]; }

/// The number of real or complex numbers that are transformed together.
std::int64_t line_length(const kernel_args& args) noexcept {
  return std::max(last_size(args.inputs[0]), last_size(args.outputs[0]));
}

std::int64_t count_lines(const kernel_args& args) noexcept {
  const auto& out = args.outputs[0];
  return out.size() == 0 ? 0 : out.size() / last_size(out);
}

std::int64_t lines_of_chunk(const kernel_args& args) noexcept {
  const auto n = static_cast<double>(line_length(args));
  return std::max<std::int64_t>(1,
                                static_cast<std::int64_t>(least_work / (n * std::log2(n + 1) * 4)));
}

std::int64_t chunks(const kernel_args& args) {
  const auto each = lines_of_chunk(args);
  return (count_lines(args) + each - 1) / each;
}

template <class T>
void transform(fft_plan<T>& plan, const std::complex<T>* in, std::complex<T>* out) {
  plan.transform(in, out);
}
template <class T>
void transform(fft_plan<T>& plan, const T* in, std::complex<T>* out) {
  plan.transform_real(in, out);
}
template <class T>
void transform(fft_plan<T>& plan, const std::complex<T>* in, T* out) {
  plan.transform_to_real(in, out);
}

/// Lines from In to Out, whose parts are T.
template <class T, class In, class Out>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array &in = args.inputs[0], &out = args.outputs[0];
  const auto& given = *static_cast<const fft_attributes*>(args.attributes);
  const auto length = last_size(in), made = last_size(out);
  const auto each = lines_of_chunk(args), end = std::min(count_lines(args), last * each);
  if (first * each >= end) return;
  const auto n = std::is_same_v<In, T> ? length : made;
  const borrowed_fft_plan<T> plan(n, given.inverse);
  const auto scale = static_cast<T>(given.scale);
  const bool plain = in.contiguous();
  const auto axes = plain ? loop_nest{} : merge_axes({&in, 1});
  auto* const room =
      plain ? nullptr : static_cast<In*>(workspace(static_cast<std::size_t>(length) * sizeof(In)));
  for (auto i = first * each; i < end; ++i) {
    const In* line = in.as<const In>() + i * length;
    if (!plain) {
      gather(room, in.data, sizeof(In), axes, 0, i * length, length);
      line = room;
    }
    Out* const to = out.as<Out>() + i * made;
    transform(*plan.operator->(), line, to);
    if (scale != T(1)) {
      for (std::int64_t k = 0; k < made; ++k) to[k] *= scale;
    }
  }
}

template <class T, class In, class Out>
constexpr kernel kernel_of{.run = run<T, In, Out>, .chunks = chunks};

template <class T>
const kernel* choose(fft_op op) noexcept {
  switch (op) {
    case fft_op::fft: return &kernel_of<T, std::complex<T>, std::complex<T>>;
    case fft_op::rfft: return &kernel_of<T, T, std::complex<T>>;
    case fft_op::irfft: break;
  }
  return &kernel_of<T, std::complex<T>, T>;
}

}  // namespace

const kernel* fft_kernel(fft_op op, dtype input) noexcept {
  if (is_complex(input) == (op == fft_op::rfft)) return nullptr;
  if (real_of(input) == float32) return choose<float>(op);
  return real_of(input) == float64 ? choose<double>(op) : nullptr;
}

}  // namespace troupe::cpu_kernels
