// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "troupe/devices/row_repeats.hpp"
#include "troupe/tensor/program/graph.hpp"

/// Steps of a program that run inside one task.

namespace troupe {

/// Whereabouts of an operand of a joined step.
struct joined_operand {
  enum class kept : std::uint8_t { input, output, scratch, number };

  kept where = kept::number;
  std::size_t position = 0;  ///< number of the task's input or output, or bytes into the scratch
  std::uint64_t immediate = 0;
  dtype element;
  layout view;               ///< from the beginning of the whole value
  row_repeats repeats = {};  ///< of its rows, in elementwise steps
};

struct joined_step {
  const operation* op;
  std::source_location call_site;
  const troupe::kernel* kernel;
  attributes given;
  std::vector<joined_operand> inputs, outputs;

  /// Throws what stands for the exception at hand: with the operation and its line.
  [[noreturn]] void raise_here() const;
};

/// Reduction of all elements that elementwise steps compute.
struct joined_reduction {
  const troupe::kernel* kernel;
  attributes given;
  std::size_t position;  ///< of the elements among the task's outputs and, behind them, its blocks
  std::size_t output;    ///< number of the task's output that gets the result
};

class compiled_rows;

struct joined_steps {
  /// Step whose chunks are gone through by elementwise ones as soon as they are written. Of the
  /// inputs that steps have, its result is the first, and those of the task follow.
  std::optional<joined_step> leading;
  std::vector<joined_step> steps;
  std::size_t scratch_bytes = 0;  ///< for what stays inside
  // For elementwise steps, which run block by block: their arrays have `rows` rows of `row`
  // elements each.
  std::int64_t rows = 1, row = 0;
  std::int64_t block = 2048;  ///< the most elements at a time, so that results stay in the cache
  /// The most rows of a block, which begins at a multiple of it, so that those of each operand lie
  /// evenly in it, though they may come again in the next one; 0: any number.
  std::int64_t rows_together = 0;
  std::vector<joined_reduction> reductions;
  std::vector<dtype> blocks;  ///< of what is only reduced, and kept for a block of elements each
  std::shared_ptr<const compiled_rows>
      compiled;  ///< null if blocks are run with the steps' kernels, which streams never do
};

/// Returns the most elements that such steps compute before the next one goes on with them.
std::int64_t block_elements(const joined_steps& of) noexcept;
/// Returns the most rows of a block, among divisors of the number after which operands' rows come
/// again.
std::int64_t rows_together(const joined_steps& of, std::int64_t period) noexcept;
/// Runs elementwise steps on elements [first, last), counted through all rows.
void run_elements(const joined_steps& all, const kernel_args& args, std::int64_t first,
                  std::int64_t last, std::byte* scratch);

/// Parameters of the operations below.
struct joined_attributes {
  std::shared_ptr<const joined_steps> steps;
};

/// Returns the steps of a task of these operations.
inline const joined_steps& steps_of(const kernel_args& args) noexcept {
  return *static_cast<const joined_attributes*>(args.attributes)->steps;
}

/// Runs a few steps one after the other, on whole arrays.
extern const operation packed_operation;
extern const kernel packed_kernel;
/// Runs elementwise steps together: compiled, or on a block of elements at a time, so that what
/// stays inside stays in the cache.
extern const operation fused_operation;
extern const kernel fused_kernel;
/// The same for steps of which some results are reduced: a block of them at a time.
extern const kernel reduced_kernel;
/// The same behind a leading step: what one of its chunks has written at a time.
extern const kernel led_kernel;

/// Returns the step that joins others: `given` says how; the numbers are those of the program's
/// values.
program_step joined(const operation& op, const kernel& by, joined_steps given,
                    std::vector<step_input> in, std::vector<int> out,
                    const std::vector<const program_step*>& members);

}  // namespace troupe
