// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include "troupe/devices/kernel.hpp"
#include "troupe/tasks/attributes.hpp"
#include "troupe/tasks/small_vector.hpp"
#include "troupe/tasks/tensor_type.hpp"

namespace troupe {

class tensor;
struct kernel_table;
struct parameter_codec;
struct task;

/// The work of a task: bytes that it reads and writes, and floating-point operations.
struct work {
  double bytes = 0;
  double flops = 0;
};

using tensor_types = small_vector<tensor_type, 1>;

/// The terms of a gradient. Inputs and result are there if the record says that they are needed.
struct gradient_terms {
  std::span<const tensor> inputs;  ///< as the kernel saw them: broadcast
  const tensor& result;
  const tensor& arriving;  ///< the gradient of the result
  const troupe::attributes& attributes;
  std::span<const tensor_type> types;  ///< of the inputs
  std::size_t input;                   ///< the number of the one whose gradient is asked for
};

/// The gradient of one input, in tensor algebra, of the shape that the kernel saw: the sum over
/// broadcast axes comes later.
struct gradient_rule {
  tensor (*function)(const gradient_terms& terms) = nullptr;  ///< null: nothing flows to this input
  std::uint8_t needs = 0;  ///< bit i for input i, and `needs_result`

  static constexpr std::uint8_t needs_result = 128;
};

enum class differentiability : std::uint8_t {
  none,       ///< nothing flows to any input, by its nature
  available,  ///< `gradients` says what flows
  unknown     ///< no rule is known: asking for it is an error
};

/// The sense in which an operation is linear in the inputs that gradients flow to.
enum class linearity : std::uint8_t {
  none,
  together,  ///< in all of them at once, as a sum is
  each       ///< in each of the first two, as a product is, if those behind them are 0
};

/// The use of narrow dtypes, such as float16 and int8, by an operation's kernels. Where they are
/// not taken, it runs in the dtypes that these are computed in: inputs and outputs are converted.
enum class narrow_dtypes : std::uint8_t {
  converted,
  taken_where_possible,  ///< on devices that have a kernel for them
  taken
};

/// Inputs that the generic tests call an operation with.
struct sample {
  std::vector<tensor_type> inputs;
  tensor (*call)(std::span<const tensor> inputs);
};

/// Everything the library knows about one operation. Records are constants and live for ever.
struct operation {
  std::string_view name;
  std::string_view doc;  ///< one line

  /// The types of the outputs. Throws troupe::error for inputs that do not fit, naming them. Absent
  /// where the caller says what comes out: creation, and the user's own operations.
  tensor_types (*infer)(std::span<const tensor_type> inputs, const attributes& attributes,
                        std::source_location call_site) = nullptr;
  /// Chooses the kernel for a task, from those of its device or of the operation's own; null where
  /// the dtypes are refused. `of_input` and `of_output` (task.hpp) name a family of the table.
  const troupe::kernel* (*kernel)(const task& t, const kernel_table& from) = nullptr;
  /// Absent: every byte of inputs and outputs once, and `flops_per_element` for each output
  /// element.
  work (*cost)(const task& t) = nullptr;
  float flops_per_element = 1;
  static constexpr std::uint8_t first_input = 1, any_input = 255;
  /// Inputs whose memory, if nobody else needs it, an output of the same type may take over: bit i
  /// for input i.
  std::uint8_t in_place = 0;
  /// Inputs that are indices: kernels take int32 and int64, other integers are converted. Bit i for
  /// input i.
  std::uint8_t indices = 0;
  /// Inputs that may be single numbers in place of arrays: bit i for input i.
  std::uint8_t numbers = 0;
  /// Its parameters begin with the random_source that it draws from.
  bool random = false;
  /// Moves its one contiguous input to another device; run by the copy actor, without a kernel.
  bool transfer = false;
  /// Its output shares the elements of its one input, or fails at the deadline in its attributes;
  /// no lane runs it.
  bool timed = false;
  /// Code of the program's own.
  bool users_own = false;
  /// Such code that neither waits nor takes locks.
  bool at_once = false;
  /// Returns true for code that may wait, hold locks and take any time, so that lanes alone run it.
  constexpr bool lanes_only() const noexcept { return users_own && !at_once; }
  /// C++ code that programs register by name: another machine runs it if its program has done so.
  bool registered = false;

  narrow_dtypes narrow = narrow_dtypes::converted;

  differentiability gradient = differentiability::unknown;
  /// The arriving gradient as all of `gradients` take it, computed once for them. Absent:
  /// unchanged.
  gradient_rule arriving = {};
  /// For each input; the first for every input of an operation that takes any number of them.
  gradient_rule gradients[3] = {};
  bool any_number = false;
  /// Returns true if gradients flow from an output of this dtype to the first input. Where they do
  /// not, asking for them is an error, through integers that were computed from the output, too.
  /// Absent: they always flow.
  bool (*flows)(dtype input, dtype output) = nullptr;
  /// Tangents of such operations are computed by the operation itself.
  linearity linear = linearity::none;
  /// Inputs to test it with. All of the library's operations have some.
  std::vector<sample> (*samples)() = nullptr;
  /// The way of its parameters to other machines; absent where there are none, or where they mean
  /// something in this process only.
  const parameter_codec* parameters = nullptr;
};

}  // namespace troupe
