// SPDX-License-Identifier: MIT
#include <algorithm>
#include <new>

#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/phases.hpp"
#include "troupe/devices/cumulative_folds.hpp"
#include "troupe/devices/layout/axis_split.hpp"
#include "troupe/devices/layout/loop_nest.hpp"
#include "troupe/devices/layout/share.hpp"

namespace troupe::cpu_kernels {

namespace {

int axis_of(const kernel_args& args) noexcept {
  return static_cast<const axis_attributes*>(args.attributes)->axis;
}

/// Division of lines of elements along an axis. Some lines are walked along together, so that one
/// step need not wait for the one before. Where there are few, each is cut into stretches, if the
/// fold is divisible: first their elements are folded, then walked along from the state of those
/// before.
struct lines_plan : axis_split {
  static constexpr std::int64_t widest = 256, abreast = 8;
  static constexpr std::int64_t item_size = 32768, enough_items = 16, most_groups = 64;

  std::int64_t lines, width;  ///< all, and those of an item
  std::int64_t blocks;        ///< of lines, without stretches
  std::int64_t stretches = 1, stretch;
  std::int64_t items, items_per_chunk = 1;

  lines_plan(const kernel_args& args, bool divisible) noexcept
      : axis_split(args.outputs[0], axis_of(args)),
        lines(rows * inner),
        width(inner == 1 ? abreast : std::clamp<std::int64_t>(inner, 1, widest)),
        blocks(length == 0 ? 0 : parts(lines, width)),
        stretch(length),
        items(blocks) {
    const auto size = length * std::min(lines, width);
    if (divisible && blocks < enough_items && size > 2 * item_size && length > 16 * abreast) {
      const auto of_line = inner == 1 ? length : size;
      stretches = abreast * std::clamp<std::int64_t>(of_line / item_size, 1, most_groups);
      stretch = parts(length, stretches);
      items = inner == 1 ? lines * stretches / abreast : blocks * stretches;
    } else if (size > 0) {
      items_per_chunk = std::max<std::int64_t>(1, item_size / size);
    }
  }

  bool cut() const noexcept { return stretches > 1; }
  std::int64_t chunks() const noexcept { return cut() ? 2 * items : parts(items, items_per_chunk); }
};

/// Stretches of lines that are walked along together.
struct bundle {
  std::int64_t width = 0;
  std::int64_t line[lines_plan::widest], first[lines_plan::widest], count[lines_plan::widest];

  bundle(const lines_plan& plan, std::int64_t item) noexcept {
    if (plan.cut() && plan.inner == 1) {  // neighbours on one line
      const auto groups = plan.stretches / plan.abreast;
      for (std::int64_t k = 0; k < plan.abreast; ++k)
        add(plan, item / groups, item % groups * plan.abreast + k);
      return;
    }
    const auto begin = item % plan.blocks * plan.width;
    const auto end = std::min(plan.lines, begin + plan.width);
    for (auto l = begin; l < end; ++l) add(plan, l, item / plan.blocks);
  }

  std::int64_t stretch_of(const lines_plan& plan, std::int64_t k) const noexcept {
    return plan.stretch == 0 ? 0 : first[k] / plan.stretch;
  }

 private:
  void add(const lines_plan& plan, std::int64_t l, std::int64_t number) noexcept {
    line[width] = l;
    first[width] = number * plan.stretch;
    count[width] = std::clamp<std::int64_t>(plan.length - first[width], 0, plan.stretch);
    ++width;
  }
};

template <class Fold, bool Write>
class walker {
  using in_t = typename Fold::in;
  using out_t = typename Fold::out;
  using state_t = typename Fold::state;

 public:
  walker(const kernel_args& args, const lines_plan& plan, const loop_nest& lines,
         const bundle& b) noexcept
      : bundle_(b), in_step_(args.inputs[0].strides[axis_of(args)]), out_step_(plan.inner) {
    const array& in = args.inputs[0];
    for (std::int64_t k = 0; k < b.width; ++k) {
      const auto l = b.line[k];
      states_[k] = Fold::start();
      from_[k] = in.as<const in_t>() + lines.offset(0, l) + b.first[k] * in_step_;
      to_[k] = args.outputs[0].as<out_t>() + l / plan.inner * plan.length * plan.inner +
               l % plan.inner + b.first[k] * plan.inner;
    }
  }

  state_t& state(std::int64_t k) noexcept { return states_[k]; }

  void run() noexcept {
    const auto* const counts = bundle_.count;
    const auto common = *std::min_element(counts, counts + bundle_.width);
    if (side_by_side()) step_side_by_side(common);
    else if (bundle_.width != lines_plan::abreast) step<0>(common);
    else if (share_places()) step_by_tiles(common);
    else step<lines_plan::abreast>(common);
    for (std::int64_t k = 0; k < bundle_.width; ++k) {
      for (auto i = common; i < counts[k]; ++i) take(k, i);
    }
  }

 private:
  template <int Width>
  void step(std::int64_t count) noexcept {
    const auto width = Width > 0 ? Width : bundle_.width;
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t k = 0; k < width; ++k) take(k, i);
    }
  }
  /// Returns true if each line lies next to the one before.
  bool side_by_side() const noexcept {
    for (std::int64_t k = 1; k < bundle_.width; ++k) {
      if (from_[k] != from_[0] + k || to_[k] != to_[0] + k) return false;
    }
    return bundle_.width > 1;
  }
  /// Does what `step` does, on neighbours, which the compiler has vectors of.
  void step_side_by_side(std::int64_t count) noexcept {
    const auto width = bundle_.width;
    for (std::int64_t i = 0; i < count; ++i) {
      const in_t* const from = from_[0] + i * in_step_;
      out_t* const to = to_[0] + i * out_step_;
#pragma GCC ivdep
      for (std::int64_t k = 0; k < width; ++k) {
        states_[k] = Fold::add(states_[k], from[k]);
        if constexpr (Write) to[k] = Fold::value(states_[k]);
      }
    }
  }
  /// Returns true if lines lie so far apart that they would have the same few places in the cache.
  bool share_places() const noexcept {
    constexpr std::uintptr_t period = 4096;
    const auto apart = [](const auto* a, const auto* b) {
      return reinterpret_cast<std::uintptr_t>(b) - reinterpret_cast<std::uintptr_t>(a);
    };
    return in_step_ == 1 && out_step_ == 1 &&
           (apart(from_[0], from_[1]) % period == 0 || apart(to_[0], to_[1]) % period == 0);
  }
  /// Does what `step` does, on copies of a few elements of each line.
  void step_by_tiles(std::int64_t count) noexcept {
    constexpr std::int64_t tile = 64, width = lines_plan::abreast;
    in_t in[width][tile];
    out_t out[width][tile];
    for (std::int64_t i = 0; i < count; i += tile) {
      const auto n = std::min(tile, count - i);
      for (std::int64_t k = 0; k < width; ++k) std::copy_n(from_[k] + i, n, in[k]);
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t k = 0; k < width; ++k) {
          states_[k] = Fold::add(states_[k], in[k][j]);
          if constexpr (Write) out[k][j] = Fold::value(states_[k]);
        }
      }
      if constexpr (!Write) continue;
      for (std::int64_t k = 0; k < width; ++k) std::copy_n(out[k], n, to_[k] + i);
    }
  }
  void take(std::int64_t k, std::int64_t i) noexcept {
    states_[k] = Fold::add(states_[k], from_[k][i * in_step_]);
    if constexpr (Write) to_[k][i * out_step_] = Fold::value(states_[k]);
  }

  const bundle& bundle_;
  std::int64_t in_step_, out_step_;
  const in_t* from_[lines_plan::widest];
  out_t* to_[lines_plan::widest];
  state_t states_[lines_plan::widest];
};

/// Scratch memory: the phases, and the state of each stretch of each line.
template <class Fold>
typename Fold::state* stretch_states(const kernel_args& args) noexcept {
  return reinterpret_cast<typename Fold::state*>(static_cast<std::byte*>(args.scratch) +
                                                 sizeof(phases));
}

template <class Fold>
void fold_stretches(const kernel_args& args, const lines_plan& plan, const loop_nest& lines,
                    std::int64_t item) noexcept {
  const bundle b(plan, item);
  walker<Fold, false> walk(args, plan, lines, b);
  walk.run();
  auto* const states = stretch_states<Fold>(args);
  for (std::int64_t k = 0; k < b.width; ++k)
    states[b.line[k] * plan.stretches + b.stretch_of(plan, k)] = walk.state(k);
}

template <class Fold>
void write_stretches(const kernel_args& args, const lines_plan& plan, const loop_nest& lines,
                     std::int64_t item) noexcept {
  const bundle b(plan, item);
  walker<Fold, true> walk(args, plan, lines, b);
  for (std::int64_t k = 0; k < b.width; ++k) {
    const auto number = b.stretch_of(plan, k);
    const auto* const states = stretch_states<Fold>(args) + b.line[k] * plan.stretches;
    auto& mine = walk.state(k);
    if (k > 0 && b.line[k - 1] == b.line[k]) {
      mine = Fold::merge(walk.state(k - 1), states[number - 1]);
      continue;
    }
    for (std::int64_t s = 0; s < number; ++s) mine = Fold::merge(mine, states[s]);
  }
  walk.run();
}

template <class Fold>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const lines_plan plan(args, Fold::divisible);
  const loop_nest lines = merge_axes({&args.inputs[0], 1}, ~(std::uint32_t{1} << axis_of(args)));
  if (plan.cut()) {
    static_cast<phases*>(args.scratch)
        ->run(last - first, plan.items, [&](std::int64_t phase, std::int64_t item) {
          if (phase == 0) fold_stretches<Fold>(args, plan, lines, item);
          else write_stretches<Fold>(args, plan, lines, item);
        });
    return;
  }
  const auto end = std::min(plan.items, last * plan.items_per_chunk);
  for (auto item = first * plan.items_per_chunk; item < end; ++item) {
    const bundle b(plan, item);
    walker<Fold, true>(args, plan, lines, b).run();
  }
}

template <class Fold>
std::size_t scratch_bytes(const kernel_args& args) {
  const lines_plan plan(args, Fold::divisible);
  if (!plan.cut()) return 0;
  return sizeof(phases) +
         static_cast<std::size_t>(plan.lines * plan.stretches) * sizeof(typename Fold::state);
}

template <class Fold>
std::int64_t chunks(const kernel_args& args) {
  return lines_plan(args, Fold::divisible).chunks();
}

template <class Fold>
void begin(const kernel_args& args) {
  if (lines_plan(args, Fold::divisible).cut()) ::new (args.scratch) phases;
}

template <class Fold>
constexpr kernel cumulative_by{.run = run<Fold>,
                               .chunks = chunks<Fold>,
                               .scratch_bytes = scratch_bytes<Fold>,
                               .begin = begin<Fold>};

/// Returns the kernel for complex numbers, which have sums and products only.
const kernel* pairs_kernel(cumulative_op op, dtype input) noexcept {
  return visit_complex(input, [op](auto zero) -> const kernel* {
    using T = decltype(zero);
    using wide = complex_number<double>;
    if (op == cumulative_op::sum) return &cumulative_by<cumulative_sum<T, wide, T>>;
    return op == cumulative_op::prod ? &cumulative_by<cumulative_product<T, wide, T>> : nullptr;
  });
}

}  // namespace

const kernel* cumulative_kernel(cumulative_op op, dtype input) noexcept {
  if (is_complex(input)) return pairs_kernel(op, input);
  if (!is_computed(input)) return nullptr;
  return visit_computed(input, [op](auto zero) -> const kernel* {
    using T = decltype(zero);
    return with_cumulative_fold<T, double, cumulative_product<T, T, T>>(
        op, [](auto fold) -> const kernel* { return &cumulative_by<decltype(fold)>; });
  });
}

}  // namespace troupe::cpu_kernels
