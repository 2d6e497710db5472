// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"
#include "troupe/devices/cuda/offsets.hpp"
#include "troupe/devices/layout/axis_split.hpp"

namespace troupe::cuda {

// A line of elements along the axis is shared by several threads if there are few lines: first each
// thread sums up its part, then each goes through its part again, from the sum of those before.

namespace {

template <class In, class Sum, bool Write>
struct sum_lines {
  offsets<1> begins;  // of the lines
  const In* in;
  Sum* out;
  Sum* sums;  // of the parts, by line
  std::int64_t step, length, inner, parts, share;

  TROUPE_BOTH void operator()(std::int64_t thread) const {
    const auto line = thread / parts, part = thread % parts;
    const auto begin = begins(line), first = part * share;
    const auto last = first + share < length ? first + share : length;
    Sum* const to = out + line / inner * length * inner + line % inner;
    Sum sum = 0;
    if constexpr (Write) {
      for (auto i = thread - part; i < thread; ++i) sum += sums[i];
    }
    for (auto i = first; i < last; ++i) {
      sum += static_cast<Sum>(in[begin + i * step]);
      if constexpr (Write) to[i * inner] = sum;
    }
    if constexpr (!Write) sums[thread] = sum;
  }
};

constexpr std::int64_t enough = 131072;    // threads, to keep any GPU busy
constexpr std::int64_t least_share = 256;  // elements that are worth a thread
constexpr std::int64_t most_parts = 512;   // whose sums a thread adds up

int axis_of(const kernel_args& args) noexcept {
  return static_cast<const axis_attributes*>(args.attributes)->axis;
}

struct parts_plan : axis_split {
  std::int64_t parts;

  explicit parts_plan(const kernel_args& args) noexcept
      : axis_split(args.outputs[0], axis_of(args)),
        parts(std::clamp<std::int64_t>(
            enough / std::max<std::int64_t>(1, rows * inner), 1,
            std::clamp<std::int64_t>(length / least_share, 1, most_parts))) {}

  std::int64_t threads() const noexcept { return rows * inner * parts; }
};

template <class In, class Sum, bool Write>
void launch(const kernel_args& args, stream& on, const parts_plan& plan) {
  const array& in = args.inputs[0];
  const int axis = axis_of(args);
  for_each(on, plan.threads(),
           sum_lines<In, Sum, Write>{
               offsets<1>(merge_axes({&in, 1}, ~(std::uint32_t{1} << axis))), in.as<const In>(),
               args.outputs[0].as<Sum>(), static_cast<Sum*>(args.scratch), in.strides[axis],
               plan.length, plan.inner, plan.parts, (plan.length + plan.parts - 1) / plan.parts});
}

template <class In, class Sum>
void cumsum(const kernel_args& args, stream& on) {
  if (args.outputs[0].size() == 0) return;
  const parts_plan plan(args);
  if (plan.parts > 1) launch<In, Sum, false>(args, on, plan);
  launch<In, Sum, true>(args, on, plan);
}

template <class Sum>
std::size_t scratch_bytes(const kernel_args& args, stream&) {
  const parts_plan plan(args);
  return plan.parts > 1 ? static_cast<std::size_t>(plan.threads()) * sizeof(Sum) : 0;
}

template <class In, class Sum>
constexpr kernel cumsum_of{.launch = cumsum<In, Sum>, .launch_scratch_bytes = scratch_bytes<Sum>};

}  // namespace

const kernel* cumsum_kernel(dtype input) noexcept {
  switch (input) {
    case dtype::boolean: return &cumsum_of<bool, std::int64_t>;
    case dtype::int32: return &cumsum_of<std::int32_t, std::int64_t>;
    case dtype::int64: return &cumsum_of<std::int64_t, std::int64_t>;
    case dtype::float32: return &cumsum_of<float, float>;
    case dtype::float64: return &cumsum_of<double, double>;
    case dtype::float16:
    case dtype::bfloat16: break;
  }
  return nullptr;
}

}  // namespace troupe::cuda
