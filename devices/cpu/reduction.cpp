// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "troupe/devices/cpu/pair_reduction.hpp"
#include "troupe/devices/cpu/reduction_steps.hpp"

namespace troupe::cpu_kernels {

// Float sums are kept in blocks that are combined in float64.

namespace {

constexpr std::int64_t shortest_direct = 64;  // shorter runs are gathered, several at once
constexpr std::int64_t gathered_rows = 4;
constexpr std::int64_t batch = 256;  // results that are kept before they are written

/// Walks over the input and hands its elements to the loops, contiguous and of the type they take.
class walk {
 public:
  walk(const kernel_args& args, const reduction_plan& plan, const reduction_loops& loops,
       dtype compute) noexcept
      : plan_(plan),
        loops_(loops),
        data_(args.inputs[0].as<const char>()),
        type_(args.inputs[0].type),
        size_(static_cast<std::int64_t>(size_of(type_))),
        compute_(compute) {}

  /// The elements [first, last) of one result.
  void add_runs(partials& p, std::int64_t result, std::int64_t first, std::int64_t last) {
    const loop_nest& axes = plan_.reduced;
    const char* const base = data_ + plan_.kept.offset(0, result) * size_;
    const bool direct =
        axes.strides[0][axes.rank - 1] == 1 && (axes.rank == 1 || axes.inner() >= shortest_direct);
    while (first < last) {
      std::int64_t n = std::min(last - first, reduction_loops::longest_run);
      const void* x = values_;
      if (direct) {
        const auto most = type_ == compute_ ? loops_.longest_in_place : n;
        n = std::min({last - first, most, axes.inner() - first % axes.inner()});
        x = base + axes.offset(0, first) * size_;
      } else {
        gather(values_, base, static_cast<std::size_t>(size_), axes, 0, first, n);
      }
      loops_.add_run(p, converted(x, n), n, first);
      first += n;
      p.count += n;
    }
  }

  /// All elements of `count` neighbouring results.
  void add_whole_runs(partials& p, std::int64_t result, std::int64_t count) {
    const loop_nest& axes = plan_.reduced;
    if (plan_.kept.rank > 1 || axes.rank > 1 || axes.strides[0][0] != 1 || type_ != compute_ ||
        plan_.elements > loops_.longest_in_place) {
      for (std::int64_t i = 0; i < count; ++i) {
        partials one = p.from(i);
        add_runs(one, result + i, 0, plan_.elements);
      }
    } else {
      const std::int64_t step = plan_.kept.strides[0][0] * size_;
      const char* x = data_ + result * step;
      for (std::int64_t i = 0; i < count; ++i, x += step)
        loops_.add_run(p.from(i), x, plan_.elements, 0);
    }
    p.count = plan_.elements;
  }

  /// The elements [first, last) of `width` neighbouring results.
  void add_rows(partials& p, std::int64_t result, std::int64_t width, std::int64_t first,
                std::int64_t last) {
    const loop_nest& axes = plan_.reduced;
    const loop_nest& kept = plan_.kept;
    const bool direct =
        kept.strides[0][kept.rank - 1] == 1 && (kept.rank == 1 || plan_.row == kept.inner());
    if (!direct || type_ != compute_) return add_gathered_rows(p, result, width, first, last);
    const char* const base = data_ + kept.offset(0, result) * size_;
    while (first < last) {
      const std::int64_t rows =
          std::min({last - first, axes.inner() - first % axes.inner(), reduction_loops::most_rows});
      loops_.add_rows(p, base + axes.offset(0, first) * size_, axes.strides[0][axes.rank - 1], rows,
                      width, first);
      first += rows;
      p.count += rows;
    }
  }

 private:
  void add_gathered_rows(partials& p, std::int64_t result, std::int64_t width, std::int64_t first,
                         std::int64_t last) {
    while (first < last) {
      const std::int64_t rows = std::min(last - first, gathered_rows);
      for (std::int64_t i = 0; i < rows; ++i)
        gather(values_ + i * width * size_, data_ + plan_.reduced.offset(0, first + i) * size_,
               static_cast<std::size_t>(size_), plan_.kept, 0, result, width);
      loops_.add_rows(p, converted(values_, rows * width), width, rows, width, first);
      first += rows;
      p.count += rows;
    }
  }

  const void* converted(const void* x, std::int64_t n) noexcept {
    if (type_ == compute_) return x;
    TROUPE_SELECT(conversion_loops)
        .loops[static_cast<int>(type_)][static_cast<int>(compute_)](converted_, &x, n);
    return converted_;
  }

  static constexpr std::int64_t room =
      8 * std::max(reduction_loops::longest_run, reduction_loops::longest_row* gathered_rows);

  const reduction_plan& plan_;
  const reduction_loops& loops_;
  const char* data_;
  dtype type_;
  std::int64_t size_;
  dtype compute_;
  alignas(64) char values_[room];
  alignas(64) char converted_[room];
};

/// The results of a tile: the first one, and how many.
std::pair<std::int64_t, std::int64_t> results_of(const reduction_plan& plan,
                                                 std::int64_t tile) noexcept {
  const std::int64_t in_row = (plan.row + plan.stretch - 1) / plan.stretch;
  const std::int64_t begin = tile % in_row * plan.stretch;
  return {tile / in_row * plan.row + begin, std::min(plan.stretch, plan.row - begin)};
}

/// Chunks that leave partial results, by split and result.
void run_split(const kernel_args& args, const reduction_plan& plan, const reduction_loops& loops,
               walk& input, std::int64_t first, std::int64_t last) {
  for (std::int64_t chunk = first; chunk < last; ++chunk) {
    const std::int64_t split = chunk / plan.tiles;
    const auto [result, width] = results_of(plan, chunk % plan.tiles);
    const std::int64_t begin = split * plan.part;
    const std::int64_t end = std::min(plan.elements, begin + plan.part);
    partials p = part_of(args, plan, split).from(result);
    p.count = 0;
    loops.start(p, width);
    if (plan.by_rows) input.add_rows(p, result, width, begin, end);
    else input.add_runs(p, result, begin, end);
  }
}

/// Chunks that make whole results.
void run_whole(const kernel_args& args, const reduction_plan& plan, const reduction_loops& loops,
               walk& input, std::int64_t first, std::int64_t last) {
  const array& out = args.outputs[0];
  const auto size = static_cast<std::int64_t>(size_of(out.type));
  const std::int64_t end = std::min(plan.tiles, last * plan.tiles_per_chunk);
  alignas(64) number values[2][std::max(batch, reduction_loops::longest_row)];
  for (std::int64_t tile = first * plan.tiles_per_chunk; tile < end;) {
    auto [result, count] = results_of(plan, tile);
    partials results{values[0], values[1], 0};
    if (plan.by_rows) {
      loops.start(results, count);
      input.add_rows(results, result, count, 0, plan.elements);
      ++tile;
    } else {
      count = std::min(batch, end - tile);
      loops.start(results, count);
      input.add_whole_runs(results, result, count);
      tile += count;
    }
    loops.write(out.as<char>() + result * size, results, count, ddof_of(args));
  }
}

/// Reduces all of a contiguous input in one go, as small losses and norms do.
void run_small(const kernel_args& args, const reduction_loops& loops) {
  const array& in = args.inputs[0];
  const std::int64_t n = in.size(), step = static_cast<std::int64_t>(size_of(in.type));
  number value, more;
  partials result{&value, &more, 0};
  loops.start(result, 1);
  while (result.count < n) {
    const std::int64_t first = result.count;
    const std::int64_t some = std::min(n - first, reduction_loops::longest_run);
    loops.add_run(result, in.as<char>() + first * step, some, first);
    result.count += some;
  }
  loops.write(args.outputs[0].data, result, 1, ddof_of(args));
}

/// Returns true for a few rows that lie as the loops take them, each reduced to a number.
bool has_plain_rows(const kernel_args& args, const reduction_loops& loops) noexcept {
  const array& in = args.inputs[0];
  return in.rank == 2 && axes_of(args) == 2 && in.strides[1] == 1 && in.shape[0] > 1 &&
         in.shape[1] >= reduction_plan::shortest_run && in.shape[1] <= loops.longest_in_place;
}

/// Reduces such rows without a plan, since programs do it to a few rows at a time.
void run_plain_rows(const kernel_args& args, const reduction_loops& loops) {
  const array& in = args.inputs[0];
  const array& out = args.outputs[0];
  const auto read = static_cast<std::int64_t>(size_of(in.type)),
             written = static_cast<std::int64_t>(size_of(out.type));
  alignas(64) number values[2][batch];
  for (std::int64_t row = 0; row < in.shape[0]; row += batch) {
    const partials results{values[0], values[1], 0};
    const auto count = std::min(batch, in.shape[0] - row);
    loops.start(results, count);
    const char* x = in.as<const char>() + row * in.strides[0] * read;
    for (std::int64_t i = 0; i < count; ++i, x += in.strides[0] * read)
      loops.add_run(results.from(i), x, in.shape[1], 0);
    loops.write(out.as<char>() + row * written, {values[0], values[1], in.shape[1]}, count,
                ddof_of(args));
  }
}

template <reduction_op Op, dtype Input>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const reduction_loops& loops = loops_of<Op, Input>();
  const array& in = args.inputs[0];
  if (in.type == compute_type(Op, Input) && reduction_plan::is_single(in)) {
    if (args.outputs[0].size() == 1 && in.contiguous()) return run_small(args, loops);
    if (has_plain_rows(args, loops)) return run_plain_rows(args, loops);
  }
  const reduction_plan plan(args);
  walk input(args, plan, loops, compute_type(Op, Input));
  if (plan.splits > 1) run_split(args, plan, loops, input, first, last);
  else run_whole(args, plan, loops, input, first, last);
}

template <reduction_op Op, dtype Input>
void finish(const kernel_args& args) {
  if (reduction_plan::is_single(args.inputs[0])) return;
  const reduction_plan plan(args);
  if (plan.splits == 1) return;
  const reduction_loops& loops = loops_of<Op, Input>();
  partials all = part_of(args, plan, 0);
  for (std::int64_t split = 1; split < plan.splits; ++split) {
    const partials later = part_of(args, plan, split);
    loops.merge(all, later, plan.results);
    all.count += later.count;
  }
  loops.write(args.outputs[0].data, all, plan.results, ddof_of(args));
}

std::int64_t chunks(const kernel_args& args) {
  return reduction_plan::is_single(args.inputs[0]) ? 1 : reduction_plan(args).chunks();
}

std::size_t scratch_bytes(const kernel_args& args) {
  if (reduction_plan::is_single(args.inputs[0])) return 0;
  const reduction_plan plan(args);
  return plan.splits == 1
             ? 0
             : static_cast<std::size_t>(2 * plan.splits * padded_results(plan)) * sizeof(number);
}

template <std::size_t I>
constexpr kernel make_kernel() noexcept {
  constexpr auto op = static_cast<reduction_op>(I / dtype_count);
  constexpr auto input = static_cast<dtype>(I % dtype_count);
  return {.run = run<op, input>,
          .chunks = chunks,
          .scratch_bytes = scratch_bytes,
          .finish = finish<op, input>,
          .by_blocks = &reduction_blocks[I]};
}

template <std::size_t... I>
constexpr auto make_kernels(std::index_sequence<I...>) noexcept {
  return std::array<kernel, sizeof...(I)>{make_kernel<I>()...};
}

constexpr auto kernels = make_kernels(std::make_index_sequence<reduction_count>{});

}  // namespace

const kernel* reduction_kernel(reduction_op op, dtype input) noexcept {
  if (is_complex(input)) return pair_reduction(op, input);
  if (is_narrow_float(input) && is_narrow(reduction_result(op, input))) return nullptr;
  return &kernels[static_cast<std::size_t>(op) * dtype_count + static_cast<std::size_t>(input)];
}

}  // namespace troupe::cpu_kernels
