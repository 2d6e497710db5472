// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/fft.hpp"

#include <algorithm>
#include <cstdint>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/kernels/copy_between.hpp"
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"
#include "troupe/devices/element_bits.hpp"

namespace troupe::cuda {

namespace {

constexpr std::size_t alignment = 256;

std::size_t aligned(std::size_t bytes) noexcept {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// The transforms of a kernel's operands.
template <fft_op Op>
struct transforms {
  const kernel_args& args;
  const fft_attributes& given = *static_cast<const fft_attributes*>(args.attributes);
  const array &in = args.inputs[0], &out = args.outputs[0];

  fft_lines lines() const noexcept {
    return {Op, real_of(in.type), given.length, out.size() / out.shape[out.rank - 1]};
  }
  /// True where cuFFT cannot read the input as it lies, or would overwrite it. It reads real
  /// numbers in pairs.
  bool copied() const noexcept {
    const auto pair = 2 * size_of(real_of(in.type));
    return Op == fft_op::irfft || !in.contiguous() ||
           reinterpret_cast<std::uintptr_t>(in.data) % pair != 0;
  }
  std::size_t copy_bytes() const noexcept {
    return copied() ? aligned(static_cast<std::size_t>(in.size()) * size_of(in.type)) : 0;
  }
};

/// Multiplies numbers, or the parts of complex ones.
template <class T>
struct scale_all {
  T* numbers;
  T by;

  TROUPE_BOTH void operator()(std::int64_t i) const { numbers[i] *= by; }
};

template <class T>
void scale(stream& on, const array& out, double by) {
  const auto parts = out.size() * (is_complex(out.type) ? 2 : 1);
  for_each(on, parts, scale_all<T>{out.as<T>(), static_cast<T>(by)});
}

/// The input, one line after another.
void copy_input(stream& on, const array& in, void* to) {
  std::int64_t strides[max_rank], step = 1;
  for (int axis = in.rank - 1; axis >= 0; --axis) {
    strides[axis] = step;
    step *= in.shape[axis];
  }
  const array packed{to, in.type, in.rank, in.shape, strides};
  visit_bits(size_of(in.type), [&](auto bits) { copy_between<decltype(bits)>(on, packed, in); });
}

template <fft_op Op>
void launch(const kernel_args& args, stream& on) {
  const transforms<Op> all{args};
  if (all.out.size() == 0) return;
  auto* const scratch = static_cast<std::byte*>(args.scratch);
  void* input = all.in.data;
  if (all.copied()) {
    copy_input(on, all.in, scratch);
    input = scratch;
  }
  transform(on, all.lines(), all.given.inverse, input, all.out.data, scratch + all.copy_bytes());
  if (all.given.scale == 1) return;
  if (real_of(all.out.type) == float32) scale<float>(on, all.out, all.given.scale);
  else scale<double>(on, all.out, all.given.scale);
}

template <fft_op Op>
std::size_t scratch_bytes(const kernel_args& args, stream& on) {
  const transforms<Op> all{args};
  if (all.out.size() == 0) return 0;
  return all.copy_bytes() + fft_workspace(on, all.lines());
}

template <fft_op Op>
constexpr kernel kernel_of{.launch = launch<Op>, .launch_scratch_bytes = scratch_bytes<Op>};

}  // namespace

const kernel* fft_kernel(fft_op op, dtype input) noexcept {
  const auto part = real_of(input);
  if (is_complex(input) == (op == fft_op::rfft) || (part != float32 && part != float64))
    return nullptr;
  switch (op) {
    case fft_op::fft: return &kernel_of<fft_op::fft>;
    case fft_op::rfft: return &kernel_of<fft_op::rfft>;
    case fft_op::irfft: break;
  }
  return &kernel_of<fft_op::irfft>;
}

}  // namespace troupe::cuda
