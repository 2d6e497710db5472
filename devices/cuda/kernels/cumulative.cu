// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"
#include "troupe/devices/cuda/offsets.hpp"
#include "troupe/devices/cumulative_folds.hpp"
#include "troupe/devices/layout/axis_split.hpp"

namespace troupe::cuda {

// A line of elements along the axis is shared by several threads if there are few lines: first each
// thread folds its part, then each goes through its part again, from the state of those before.

namespace {

template <class Fold, bool Write>
struct walk_lines {
  using in_t = typename Fold::in;
  using out_t = typename Fold::out;
  using state_t = typename Fold::state;

  offsets<1> begins;  // of the lines
  const in_t* in;
  out_t* out;
  state_t* states;  // of the parts, by line
  std::int64_t step, length, inner, parts, share;

  TROUPE_BOTH void operator()(std::int64_t thread) const {
    const auto line = thread / parts, part = thread % parts;
    const auto begin = begins(line), first = part * share;
    const auto last = first + share < length ? first + share : length;
    out_t* const to = out + line / inner * length * inner + line % inner;
    state_t s = Fold::start();
    if constexpr (Write) {
      for (auto i = thread - part; i < thread; ++i) s = Fold::merge(s, states[i]);
    }
    for (auto i = first; i < last; ++i) {
      s = Fold::add(s, in[begin + i * step]);
      if constexpr (Write) to[i * inner] = Fold::value(s);
    }
    if constexpr (!Write) states[thread] = s;
  }
};

constexpr std::int64_t enough = 131072;    // threads, to keep any GPU busy
constexpr std::int64_t least_share = 256;  // elements that are worth a thread
constexpr std::int64_t most_parts = 512;   // whose states a thread merges

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

template <class Fold, bool Write>
void launch(const kernel_args& args, stream& on, const parts_plan& plan) {
  const array& in = args.inputs[0];
  const int axis = axis_of(args);
  for_each(on, plan.threads(),
           walk_lines<Fold, Write>{
               offsets<1>(merge_axes({&in, 1}, ~(std::uint32_t{1} << axis))),
               in.as<const typename Fold::in>(), args.outputs[0].as<typename Fold::out>(),
               static_cast<typename Fold::state*>(args.scratch), in.strides[axis], plan.length,
               plan.inner, plan.parts, (plan.length + plan.parts - 1) / plan.parts});
}

template <class Fold>
void run(const kernel_args& args, stream& on) {
  if (args.outputs[0].size() == 0) return;
  const parts_plan plan(args);
  if (plan.parts > 1) launch<Fold, false>(args, on, plan);
  launch<Fold, true>(args, on, plan);
}

template <class Fold>
std::size_t scratch_bytes(const kernel_args& args, stream&) {
  const parts_plan plan(args);
  if (plan.parts == 1) return 0;
  return static_cast<std::size_t>(plan.threads()) * sizeof(typename Fold::state);
}

template <class Fold>
constexpr kernel cumulative_by{.launch = run<Fold>, .launch_scratch_bytes = scratch_bytes<Fold>};

}  // namespace

const kernel* cumulative_kernel(cumulative_op op, dtype input) noexcept {
  if (!is_computed(input)) return nullptr;
  return visit_computed(input, [op](auto zero) -> const kernel* {
    using T = decltype(zero);
    return with_cumulative_fold<T, T, scaled_product<T>>(
        op, [](auto fold) -> const kernel* { return &cumulative_by<decltype(fold)>; });
  });
}

}  // namespace troupe::cuda
