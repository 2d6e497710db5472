// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/pair_reduction.hpp"

#include <algorithm>

#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/cpu/reduction_plan.hpp"
#include "troupe/devices/cpu/simd/reduction_loops.hpp"

namespace troupe::cpu_kernels {

namespace {

using pair = complex_number<double>;  // what partial results are kept in

struct pair_sum {
  static pair start() noexcept { return 0.; }
  static pair join(pair a, pair b) noexcept { return a + b; }
};

struct pair_product {
  static pair start() noexcept { return 1.; }
  static pair join(pair a, pair b) noexcept { return a * b; }
};

/// Joins the elements of a run, several side by side, as one would wait for itself at every step.
template <class Fold, class T>
pair fold_run(pair so_far, const complex_number<T>* x, std::int64_t step, std::int64_t n) noexcept {
  constexpr std::int64_t side_by_side = 8;
  pair sums[side_by_side];
  std::fill_n(sums, side_by_side, Fold::start());
  std::int64_t i = 0;
  if (step == 1) {
    for (; i + side_by_side <= n; i += side_by_side) {
      for (std::int64_t j = 0; j < side_by_side; ++j) sums[j] = Fold::join(sums[j], pair(x[i + j]));
    }
  }
  for (; i < n; ++i) sums[0] = Fold::join(sums[0], pair(x[i * step]));
  for (const pair one : sums) so_far = Fold::join(so_far, one);
  return so_far;
}

template <class Fold, class T>
class pair_walk {
 public:
  using element = complex_number<T>;

  pair_walk(const kernel_args& args, const reduction_plan& plan) noexcept
      : plan_(plan), data_(args.inputs[0].as<const element>()) {}

  /// Joins the elements [first, last) of `width` results to what is there.
  void add(pair* out, std::int64_t result, std::int64_t width, std::int64_t first,
           std::int64_t last) noexcept {
    if (!plan_.by_rows) {
      for (std::int64_t i = 0; i < width; ++i) add_runs(out[i], result + i, first, last);
      return;
    }
    bool neighbours = true;
    for (std::int64_t i = 0; i < width; ++i) {
      places_[i] = plan_.kept.offset(0, result + i);
      neighbours = neighbours && places_[i] == places_[0] + i;
    }
    each_run(first, last, [&](std::int64_t place, std::int64_t step, std::int64_t n) {
      for (std::int64_t k = 0; k < n; ++k) {
        const element* const row = data_ + place + k * step;
        if (neighbours) {
          const element* const x = row + places_[0];
          for (std::int64_t i = 0; i < width; ++i) out[i] = Fold::join(out[i], pair(x[i]));
        } else {
          for (std::int64_t i = 0; i < width; ++i)
            out[i] = Fold::join(out[i], pair(row[places_[i]]));
        }
      }
    });
  }

 private:
  void add_runs(pair& out, std::int64_t result, std::int64_t first, std::int64_t last) noexcept {
    const element* const base = data_ + plan_.kept.offset(0, result);
    each_run(first, last, [&](std::int64_t place, std::int64_t step, std::int64_t n) {
      out = fold_run<Fold>(out, base + place, step, n);
    });
  }

  /// Calls f(place, step, n) for what lies at equal distances.
  template <class F>
  void each_run(std::int64_t first, std::int64_t last, F&& f) const noexcept {
    const loop_nest& axes = plan_.reduced;
    while (first < last) {
      const auto n = std::min(last - first, axes.inner() - first % axes.inner());
      f(axes.offset(0, first), axes.strides[0][axes.rank - 1], n);
      first += n;
    }
  }

  const reduction_plan& plan_;
  const element* data_;
  std::int64_t places_[reduction_loops::longest_row];
};

/// The results of a tile: the first one, and how many.
struct pair_tile {
  std::int64_t first, count;

  pair_tile(const reduction_plan& plan, std::int64_t tile) noexcept {
    const std::int64_t in_row = (plan.row + plan.stretch - 1) / plan.stretch;
    const std::int64_t begin = tile % in_row * plan.stretch;
    first = tile / in_row * plan.row + begin;
    count = std::min(plan.stretch, plan.row - begin);
  }
};

template <class T, bool Mean>
void write_pairs(const kernel_args& args, const reduction_plan& plan, std::int64_t result,
                 const pair* from, std::int64_t n) noexcept {
  auto* const out = args.outputs[0].as<complex_number<T>>() + result;
  const double count = Mean ? static_cast<double>(plan.elements) : 1;
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = {static_cast<T>(from[i].re / count), static_cast<T>(from[i].im / count)};
}

template <class Fold, class T, bool Mean>
void run_pairs(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const reduction_plan plan(args);
  pair_walk<Fold, T> input(args, plan);
  if (plan.splits > 1) {
    for (std::int64_t chunk = first; chunk < last; ++chunk) {
      const std::int64_t split = chunk / plan.tiles, begin = split * plan.part;
      const pair_tile some(plan, chunk % plan.tiles);
      pair* const out = static_cast<pair*>(args.scratch) + split * plan.results + some.first;
      std::fill_n(out, some.count, Fold::start());
      input.add(out, some.first, some.count, begin, std::min(plan.elements, begin + plan.part));
    }
    return;
  }
  pair found[reduction_loops::longest_row];
  const std::int64_t end = std::min(plan.tiles, last * plan.tiles_per_chunk);
  for (std::int64_t tile = first * plan.tiles_per_chunk; tile < end; ++tile) {
    const pair_tile some(plan, tile);
    std::fill_n(found, some.count, Fold::start());
    input.add(found, some.first, some.count, 0, plan.elements);
    write_pairs<T, Mean>(args, plan, some.first, found, some.count);
  }
}

template <class Fold, class T, bool Mean>
void finish_pairs(const kernel_args& args) {
  const reduction_plan plan(args);
  if (plan.splits == 1) return;
  auto* const all = static_cast<pair*>(args.scratch);
  for (std::int64_t split = 1; split < plan.splits; ++split) {
    for (std::int64_t i = 0; i < plan.results; ++i)
      all[i] = Fold::join(all[i], all[split * plan.results + i]);
  }
  write_pairs<T, Mean>(args, plan, 0, all, plan.results);
}

std::int64_t pair_chunks(const kernel_args& args) {
  return reduction_plan::is_single(args.inputs[0]) ? 1 : reduction_plan(args).chunks();
}

std::size_t pair_scratch_bytes(const kernel_args& args) {
  const reduction_plan plan(args);
  if (plan.splits == 1) return 0;
  return static_cast<std::size_t>(plan.splits * plan.results) * sizeof(pair);
}

template <class Fold, class T, bool Mean>
constexpr kernel pairs{.run = run_pairs<Fold, T, Mean>,
                       .chunks = pair_chunks,
                       .scratch_bytes = pair_scratch_bytes,
                       .finish = finish_pairs<Fold, T, Mean>};

}  // namespace

const kernel* pair_reduction(reduction_op op, dtype input) noexcept {
  return visit_complex(input, [op]<class T>(complex_number<T>) -> const kernel* {
    switch (op) {
      case reduction_op::sum: return &pairs<pair_sum, T, false>;
      case reduction_op::mean: return &pairs<pair_sum, T, true>;
      case reduction_op::prod: return &pairs<pair_product, T, false>;
      default: return nullptr;
    }
  });
}

}  // namespace troupe::cpu_kernels
