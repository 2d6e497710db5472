// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/elementwise_run.hpp"

#include <algorithm>

#include "troupe/devices/cpu/chunk_size.hpp"
#include "troupe/devices/cpu/operand_reader.hpp"
#include "troupe/devices/layout/loop_nest.hpp"
#include "troupe/devices/layout/tiling.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr int most_inputs = 3;
constexpr std::int64_t least_chunk = 4096, most_chunk = 32768;
constexpr std::int64_t block_size = 1024;   // an operand's block stays in the first-level cache
constexpr std::int64_t shortest_row = 128;  // shorter rows are gathered, several to a block

/// The axis to walk along in tiles together with the last one, because an input's neighbouring
/// elements lie along it; -1 if no input is like that.
int tall_axis(const loop_nest& axes, std::size_t inputs) noexcept {
  for (int k = 0; k < static_cast<int>(inputs); ++k) {
    if (const int axis = tiling::tall_axis(axes, k); axis >= 0) return axis;
  }
  return -1;
}

bool any_strided(const kernel_args& args) noexcept {
  for (const array& x : args.inputs) {
    if (arrangement_of(x) == arrangement::strided) return true;
  }
  return false;
}

/// One call, or several, of an elementwise loop on inputs of its types.
struct operation {
  const kernel_args& args;
  elementwise_loop loop;
  elementwise_loop
      round;  ///< converts what the loop makes to what is stored; null if they are the same
  dtype types[most_inputs];
  char* results;
  std::int64_t result_size;
  int inputs;

  operation(const kernel_args& arguments, elementwise_loop l, dtype compute, dtype made,
            bool bool_first)
      : args(arguments),
        loop(l),
        round(rounding(made, args.outputs[0].type)),
        types{bool_first ? boolean : compute, compute, compute},
        results(args.outputs[0].as<char>()),
        result_size(static_cast<std::int64_t>(size_of(args.outputs[0].type))),
        inputs(static_cast<int>(args.inputs.size())) {}

  static elementwise_loop rounding(dtype made, dtype stored) noexcept {
    if (made == stored) return nullptr;
    return TROUPE_SELECT(conversion_loops).loops[static_cast<int>(made)][static_cast<int>(stored)];
  }

  /// The results of n elements, a reader's block at most.
  void apply(char* to, const void* const* in, std::int64_t n) const {
    if (!round) return loop(to, in, n);
    alignas(64) char room[operand_reader::block_size * largest_element];
    const void* const made = room;
    loop(room, in, n);
    round(to, &made, n);
  }

  /// Runs what most calls are: contiguous inputs and single numbers, of the right types. False, and
  /// nothing done, if they are something else.
  bool run_plain(std::int64_t begin, std::int64_t end) const {
    if (round) return false;
    if (inputs == 1) return run_plain<1>(begin, end);
    return inputs == 2 ? run_plain<2>(begin, end) : run_plain<3>(begin, end);
  }

  template <int Inputs>
  bool run_plain(std::int64_t begin, std::int64_t end) const {
    const char* data[Inputs];
    std::int64_t steps[Inputs];
    bool constants = false;
    for (int k = 0; k < Inputs; ++k) {
      const array& x = args.inputs[static_cast<std::size_t>(k)];
      const bool number = (args.numbers >> k & 1) != 0 && end > 1;
      const arrangement lie = number ? arrangement::constant : arrangement_of(x);
      if (x.type != types[k] || lie == arrangement::strided) return false;
      data[k] = x.as<const char>();
      steps[k] = lie == arrangement::constant ? 0 : static_cast<std::int64_t>(size_of(x.type));
      constants = constants || steps[k] == 0;
    }
    if (constants) {
      run_constants<Inputs>(data, steps, begin, end);
    } else {
      const void* in[Inputs];
      for (int k = 0; k < Inputs; ++k) in[k] = data[k] + begin * steps[k];
      loop(results + begin * result_size, in, end - begin);
    }
    return true;
  }

  /// Inputs with step 0 are laid out once, as long as a block.
  template <int Inputs>
  void run_constants(const char* const* data, const std::int64_t* steps, std::int64_t begin,
                     std::int64_t end) const {
    alignas(64) char room[Inputs][block_size * largest_element];
    const char* from[Inputs];
    const std::int64_t longest = std::min(block_size, end - begin);
    for (int k = 0; k < Inputs; ++k) {
      from[k] = data[k];
      if (steps[k] != 0) continue;
      repeat(room[k], data[k], size_of(types[k]), longest);
      from[k] = room[k];
    }
    for (std::int64_t position = begin; position < end; position += longest) {
      const void* in[Inputs];
      for (int k = 0; k < Inputs; ++k) in[k] = from[k] + position * steps[k];
      loop(results + position * result_size, in, std::min(longest, end - position));
    }
  }

  void run_blocks(const loop_nest& axes, std::int64_t begin, std::int64_t end) const {
    operand_reader readers[most_inputs];
    for (int k = 0; k < inputs; ++k)
      readers[k].start(args.inputs[static_cast<std::size_t>(k)], types[k],
                       std::min(block_size, end - begin));
    const std::int64_t row = axes.inner();
    const bool by_row = row >= shortest_row;
    for (std::int64_t position = begin; position < end;) {
      std::int64_t n = std::min(block_size, end - position);
      if (by_row) n = std::min(n, row - position % row);
      const void* in[most_inputs];
      for (int k = 0; k < inputs; ++k) in[k] = readers[k].run(axes, k, position, n, by_row);
      apply(results + position * result_size, in, n);
      position += n;
    }
  }

  void run_tiles(const loop_nest& axes, int tall, std::int64_t first, std::int64_t last) const {
    operand_reader readers[most_inputs];
    for (int k = 0; k < inputs; ++k)
      readers[k].start(args.inputs[static_cast<std::size_t>(k)], types[k],
                       operand_reader::block_size);
    const tiling tiles(axes, tall);
    const std::int64_t step = tiles.out_strides()[tall];
    tiles.for_each_tile(first, last, [&](const tiling::tile& t) {
      bool packed = step == t.columns;
      for (int k = 0; k < inputs; ++k) {
        readers[k].load_tile(axes, k, t, tall);
        packed = packed && readers[k].packed(t.columns);
      }
      const std::int64_t rows = packed ? 1 : t.rows, columns = packed ? t.rows * step : t.columns;
      char* out = results + t.offset(axes, tiles.out_strides()) * result_size;
      for (std::int64_t i = 0; i < rows; ++i, out += step * result_size) {
        const void* in[most_inputs];
        for (int k = 0; k < inputs; ++k) in[k] = readers[k].row(i);
        apply(out, in, columns);
      }
    });
  }
};

}  // namespace

std::int64_t elementwise_chunks(const kernel_args& args) {
  const std::int64_t n = args.outputs[0].size();
  if (n > most_chunk && any_strided(args)) {
    const loop_nest axes = merge_axes(args.inputs);
    if (const int tall = tall_axis(axes, args.inputs.size()); tall >= 0)
      return tiling(axes, tall).chunks();
  }
  const auto size = elements_per_chunk(n, least_chunk, most_chunk);
  return (n + size - 1) / size;
}

void run_elementwise(const kernel_args& args, std::int64_t first, std::int64_t last,
                     elementwise_loop loop, dtype compute, dtype made, bool bool_first) {
  const operation op(args, loop, compute, made, bool_first);
  const std::int64_t n = args.outputs[0].size();
  const auto size = elements_per_chunk(n, least_chunk, most_chunk);
  const std::int64_t begin = first * size, end = std::min(n, last * size);
  if (begin < end && op.run_plain(begin, end)) return;
  loop_nest axes;
  axes.shape[0] = n;
  if (any_strided(args)) {
    axes = merge_axes(args.inputs);
    const int tall = n > most_chunk ? tall_axis(axes, args.inputs.size()) : -1;
    if (tall >= 0) return op.run_tiles(axes, tall, first, last);
  }
  if (begin < end) op.run_blocks(axes, begin, end);
}

}  // namespace troupe::cpu_kernels
