// SPDX-License-Identifier: MIT
#include <algorithm>
#include <new>
#include <utility>

#include "troupe/devices/cpu/reduction_steps.hpp"

namespace troupe::cpu_kernels {

namespace {

/// Facts on the elements of a chunk.
struct block_sums {
  std::int64_t length;  ///< elements in the chunk
  std::int64_t count;   ///< those that were added
  number value, more;
  bool as_one_run;
  run_totals totals;

  partials sums() noexcept { return {&value, &more, count}; }
};
static_assert(sizeof(block_sums) <= sizeof(block_reduction::state));
static_assert(block_reduction::block == reduction_loops::longest_run);

block_sums& sums_in(block_reduction::state& s) noexcept {
  return *std::launder(reinterpret_cast<block_sums*>(s.bytes));
}

/// Returns elements of a chunk: those of one that leaves a partial result, or all.
std::int64_t elements_in_chunk(const kernel_args& args) {
  const array& in = args.inputs[0];
  if (reduction_plan::is_single(in)) return in.size();
  return reduction_plan(args).part;
}

template <reduction_op Op, dtype Input>
struct in_blocks {
  static constexpr bool converts = Input != compute_type(Op, Input);

  static void start(const kernel_args& args, std::int64_t chunk, block_reduction::state& s) {
    const reduction_loops& loops = loops_of<Op, Input>();
    const array& in = args.inputs[0];
    const std::int64_t most = elements_in_chunk(args);
    auto& sums = *new (s.bytes) block_sums;
    sums.length = std::min(most, in.size() - chunk * most);
    sums.count = 0;
    loops.start(sums.sums(), 1);
    sums.as_one_run = !converts && loops.start_blocks && !reduction_plan::is_single(in) &&
                      sums.length > reduction_loops::longest_run;
    if (sums.as_one_run) loops.start_blocks(sums.totals);
  }

  static void add(const void* x, std::int64_t n, std::int64_t index, block_reduction::state& s) {
    const reduction_loops& loops = loops_of<Op, Input>();
    auto& sums = sums_in(s);
    if (sums.as_one_run) {
      loops.add_block(sums.totals, x, n);
      sums.count += n;
      if (sums.count == sums.length) loops.end_blocks(sums.sums(), sums.totals);
      return;
    }
    alignas(64) char converted[converts ? 8 * reduction_loops::longest_run : 1];
    if constexpr (converts) {
      constexpr int to = static_cast<int>(compute_type(Op, Input));
      TROUPE_SELECT(conversion_loops).loops[static_cast<int>(Input)][to](converted, &x, n);
      x = converted;
    }
    loops.add_run(sums.sums(), x, n, index);
    sums.count += n;
  }

  static void end(const kernel_args& args, std::int64_t chunk, block_reduction::state& s) {
    auto& sums = sums_in(s);
    if (!reduction_plan::is_single(args.inputs[0])) {
      const reduction_plan plan(args);
      if (plan.splits > 1) {
        const partials part = part_of(args, plan, chunk);
        *part.value = sums.value;
        *part.more = sums.more;
        return;
      }
    }
    loops_of<Op, Input>().write(args.outputs[0].data, sums.sums(), 1, ddof_of(args));
  }

  static constexpr block_reduction steps{elements_in_chunk, start, add, end};
};

template <std::size_t... I>
constexpr auto all_in_blocks(std::index_sequence<I...>) noexcept {
  return std::array<block_reduction, sizeof...(I)>{
      in_blocks<static_cast<reduction_op>(I / dtype_count),
                static_cast<dtype>(I % dtype_count)>::steps...};
}

}  // namespace

constinit const std::array<block_reduction, reduction_count> reduction_blocks =
    all_in_blocks(std::make_index_sequence<reduction_count>{});

}  // namespace troupe::cpu_kernels
