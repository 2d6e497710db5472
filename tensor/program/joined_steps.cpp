// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/joined_steps.hpp"

#include <algorithm>
#include <stdexcept>

#include "troupe/tasks/binding.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/failed_step.hpp"
#include "troupe/tensor/program/block_scratch.hpp"
#include "troupe/tensor/program/compiled_rows.hpp"

namespace troupe {

namespace {

using kept = joined_operand::kept;

constexpr std::int64_t joined_chunk = 32768;

/// Arrays of one joined step.
struct step_arrays {
  small_vector<array, 3> inputs;
  small_vector<array, 1> outputs;
  std::uint32_t numbers = 0;

  void add_number(const joined_operand& x, const layout& like) {
    static constexpr std::int64_t no_strides[max_rank] = {};
    numbers |= std::uint32_t{1} << inputs.size();
    inputs.emplace_back(array{const_cast<std::uint64_t*>(&x.immediate), x.element, like.dims.rank(),
                              like.dims.data(), no_strides});
  }
  kernel_args args(const joined_step& of, void* scratch) const {
    return {inputs, outputs, of.given.data(), scratch, numbers};
  }
};

std::byte* begin_of(const joined_operand& x, const kernel_args& args, std::byte* scratch) noexcept {
  switch (x.where) {
    case kept::input: return args.inputs[x.position].as<std::byte>();
    case kept::output: return args.outputs[x.position].as<std::byte>();
    case kept::scratch: return scratch + x.position;
    case kept::number: break;
  }
  return nullptr;
}

// ---- on whole arrays ----

void run_step(const joined_step& s, const kernel_args& args, void* own_scratch) {
  auto* const scratch = static_cast<std::byte*>(args.scratch);
  step_arrays all;
  const auto whole = [&](const joined_operand& x) {
    auto* const data = begin_of(x, args, scratch) +
                       x.view.offset * static_cast<std::ptrdiff_t>(size_of(x.element));
    return array{data, x.element, x.view.dims.rank(), x.view.dims.data(), x.view.strides};
  };
  for (const auto& x : s.inputs) {
    if (x.where == kept::number) all.add_number(x, s.outputs[0].view);
    else all.inputs.emplace_back(whole(x));
  }
  for (const auto& x : s.outputs) all.outputs.emplace_back(whole(x));
  const auto own = all.args(s, own_scratch);
  if (s.kernel->begin) s.kernel->begin(own);
  s.kernel->run(own, 0, s.kernel->chunks ? s.kernel->chunks(own) : 1);
  if (s.kernel->finish) s.kernel->finish(own);
}

void run_packed(const kernel_args& args, std::int64_t, std::int64_t) {
  const auto& all = steps_of(args);
  for (const auto& s : all.steps) {
    try {
      run_step(s, args, static_cast<std::byte*>(args.scratch) + all.scratch_bytes);
    } catch (...) { s.raise_here(); }
  }
}

/// Returns the bytes for what stays inside, and behind them for the kernels' own scratch.
std::size_t packed_scratch(const kernel_args& args) {
  const auto& all = steps_of(args);
  std::size_t most = 0;
  for (const auto& s : all.steps) {
    if (!s.kernel->scratch_bytes) continue;
    step_arrays arrays;
    const auto unfilled = [](const joined_operand& x) {
      return array{nullptr, x.element, x.view.dims.rank(), x.view.dims.data(), x.view.strides};
    };
    for (const auto& x : s.inputs) {
      if (x.where == kept::number) arrays.add_number(x, s.outputs[0].view);
      else arrays.inputs.emplace_back(unfilled(x));
    }
    for (const auto& x : s.outputs) arrays.outputs.emplace_back(unfilled(x));
    most = std::max(most, s.kernel->scratch_bytes(arrays.args(s, nullptr)));
  }
  return all.scratch_bytes + most;
}

// ---- block by block ----

/// Division of the rows into blocks: several rows, or a part of one.
struct blocks {
  explicit blocks(const joined_steps& of) noexcept
      : rows(of.rows),
        row(of.row),
        most(of.block),
        rows_together(of.rows_together > 0 ? of.rows_together : most_rows(of)),
        parts((row + most - 1) / most) {}

  static std::int64_t most_rows(const joined_steps& of) noexcept {
    return std::clamp(of.block / std::max<std::int64_t>(of.row, 1), std::int64_t{1},
                      std::max<std::int64_t>(of.rows, 1));
  }

  std::int64_t count() const noexcept {
    return parts * ((rows + rows_together - 1) / rows_together);
  }
  /// Number of blocks in a chunk, which lanes share among themselves.
  std::int64_t in_chunk() const noexcept {
    return std::max<std::int64_t>(1, joined_chunk / std::min(most, row * rows_together));
  }

  std::int64_t rows, row;
  std::int64_t most;  ///< elements of a block
  std::int64_t rows_together;
  std::int64_t parts;  ///< blocks in one row
};

struct block {
  block(std::int64_t first_row, std::int64_t first_column, std::int64_t tall,
        std::int64_t wide) noexcept
      : row(first_row), column(first_column), shape{tall, wide}, strides{wide, 1} {}
  block(const blocks& of, std::int64_t number) noexcept
      : block(number / of.parts * of.rows_together, number % of.parts * of.most,
              std::min(of.rows_together, of.rows - number / of.parts * of.rows_together),
              std::min(of.most, of.row - number % of.parts * of.most)) {}

  std::int64_t row, column;
  std::int64_t shape[2];
  std::int64_t strides[2];
};

void run_step_on(const block& b, const joined_step& s, const kernel_args& args, std::int64_t row,
                 std::byte* scratch) {
  step_arrays all;
  layout like;
  like.dims = {b.shape[0], b.shape[1]};
  for (const auto& x : s.inputs) {
    if (x.where == kept::number) {
      all.add_number(x, like);
      continue;
    }
    auto* data = begin_of(x, args, scratch);
    const auto* strides = b.strides;
    if (x.where == kept::input) {
      static constexpr std::int64_t one_row[2][2] = {{0, 0}, {0, 1}};
      strides = x.repeats.each > 1 ? one_row[x.view.strides[1]] : x.view.strides;
      data += (x.view.offset + x.repeats.row(b.row) * x.view.strides[0] + b.column * strides[1]) *
              static_cast<std::ptrdiff_t>(size_of(x.element));
    } else if (x.where == kept::output) {
      data += (b.row * row + b.column) * static_cast<std::ptrdiff_t>(size_of(x.element));
    }
    all.inputs.emplace_back(array{data, x.element, 2, b.shape, strides});
  }
  for (const auto& x : s.outputs) {
    auto* data = begin_of(x, args, scratch);
    if (x.where == kept::output)
      data += (b.row * row + b.column) * static_cast<std::ptrdiff_t>(size_of(x.element));
    all.outputs.emplace_back(array{data, x.element, 2, b.shape, b.strides});
  }
  const auto own = all.args(s, nullptr);
  s.kernel->run(own, 0, s.kernel->chunks ? s.kernel->chunks(own) : 1);
}

void run_block(const block& b, const joined_steps& all, const kernel_args& args,
               std::byte* scratch) {
  for (const auto& s : all.steps) {
    try {
      run_step_on(b, s, args, all.row, scratch);
    } catch (...) { s.raise_here(); }
  }
}

void run_fused(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const auto& all = steps_of(args);
  if (all.compiled) return all.compiled->run(args, first, last);
  const blocks divided(all);
  const auto in_chunk = divided.in_chunk();
  const block_scratch scratch(all.scratch_bytes);
  const auto end = std::min(last * in_chunk, divided.count());
  for (auto i = first * in_chunk; i < end; ++i)
    run_block(block(divided, i), all, args, scratch.data());
}

std::int64_t fused_chunks(const kernel_args& args) {
  const auto& all = steps_of(args);
  if (all.compiled) return all.compiled->chunks();
  const blocks divided(all);
  return (divided.count() + divided.in_chunk() - 1) / divided.in_chunk();
}

void launch_fused(const kernel_args& args, stream& on) {
  steps_of(args).compiled->launch(args, on);
}

std::vector<sample> no_samples() { return {}; }

}  // namespace

std::int64_t block_elements(const joined_steps& of) noexcept {
  return std::min(of.block, of.row) * blocks(of).rows_together;
}

std::int64_t rows_together(const joined_steps& of, std::int64_t period) noexcept {
  auto out = std::min(blocks::most_rows(of), period);
  while (period % out != 0) --out;
  return out;
}

void run_elements(const joined_steps& all, const kernel_args& args, std::int64_t first,
                  std::int64_t last, std::byte* scratch) {
  if (all.compiled) return all.compiled->run_elements(args, first, last);
  const auto together = blocks(all).rows_together;
  for (auto i = first; i < last;) {
    const auto row = i / all.row, column = i % all.row;
    const bool whole = column == 0 && all.row <= all.block && last - i >= all.row;
    const auto left = all.rows_together > 0 ? together - row % together : together;
    const auto tall = whole ? std::min(left, (last - i) / all.row) : 1;
    const auto wide = whole ? all.row : std::min({all.block, all.row - column, last - i});
    run_block(block(row, column, tall, wide), all, args, scratch);
    i += tall * wide;
  }
}

void joined_step::raise_here() const {
  throw failed_step(std::string(op->name) + ": " + text_of_current_exception(), call_site);
}

constinit const kernel packed_kernel{.run = run_packed, .scratch_bytes = packed_scratch};
constinit const kernel fused_kernel{
    .run = run_fused, .chunks = fused_chunks, .launch = launch_fused};

constinit const operation packed_operation{.name = "program",
                                           .doc = "Steps of a program, one after the other.",
                                           .narrow = narrow_dtypes::taken,
                                           .samples = no_samples};
constinit const operation fused_operation{.name = "fused",
                                          .doc = "Elementwise steps of a program, joined.",
                                          .narrow = narrow_dtypes::taken,
                                          .samples = no_samples};

program_step joined(const operation& op, const kernel& by, joined_steps given,
                    std::vector<step_input> in, std::vector<int> out,
                    const std::vector<const program_step*>& members) {
  program_step s{&op, members[0]->device, members[0]->call_site, &by, {}, 0, 0,
                 {},  std::move(in),      std::move(out)};
  for (const auto* one : members) {
    s.cost.flops += one->cost.flops;
    s.estimate += one->estimate;
    s.scratch = std::max(s.scratch, one->scratch);
  }
  s.given = joined_attributes{std::make_shared<const joined_steps>(std::move(given))};
  return s;
}

}  // namespace troupe
