// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "troupe/devices/element_expression.hpp"

namespace troupe::cpu_kernels::jit {

/// Computes some elements. The words are their number, a multiple of what is computed at a time and
/// not 0, the addresses of the inputs and of the outputs, and the numbers.
using row_function = void (*)(const std::uint64_t* words);

/// Places of all that among the words.
struct row_words {
  explicit row_words(const element_expression& of) noexcept;

  std::size_t first_output() const noexcept { return 1 + inputs; }
  std::size_t first_number() const noexcept { return 1 + inputs + outputs; }
  std::size_t count() const noexcept { return 1 + inputs + outputs + numbers; }

  std::size_t inputs = 0, outputs = 0, numbers = 0;
};

/// Memory for machine code that is never writable where it runs.
class code_memory;

/// Expression, compiled for this CPU. It knows no sizes.
class row_kernel {
 public:
  static constexpr std::size_t most_words = 96;

  row_kernel(const element_expression& of, std::shared_ptr<code_memory> memory, row_function code,
             std::int64_t lanes);
  row_kernel(const row_kernel&) = delete;
  row_kernel& operator=(const row_kernel&) = delete;
  ~row_kernel();

  /// Computes a row of n elements. Inputs and outputs lie side by side, uniform inputs are one
  /// element; an output may be one of the inputs. Each of the numbers begins 8 bytes.
  void run(const void* const* inputs, void* const* outputs, const std::uint64_t* numbers,
           std::int64_t n) const;

 private:
  bool overwrites(const std::uint64_t* words) const noexcept;
  void run_last(std::uint64_t* words, std::int64_t n) const;
  void run_rest(std::uint64_t* words, std::int64_t done, std::int64_t n) const;

  row_words words_;
  std::shared_ptr<code_memory> memory_;
  row_function code_;
  std::int64_t lanes_;
  std::vector<std::size_t> input_sizes_;  ///< bytes of an element; 0 for uniform inputs
  std::vector<std::size_t> output_sizes_;
};

/// Returns the kernel of an expression, compiled now or kept from before. Null where the build or
/// this CPU has no compiler for it, memory for code is refused, or part of it has no instructions.
std::shared_ptr<const row_kernel> kernel_of(const element_expression& e);

/// Numbers of the kernels that are kept, and that were compiled since the process began.
struct kernel_counts {
  std::size_t kept = 0;
  std::uint64_t compiled = 0;
};
inline constexpr std::size_t most_kernels = 256;
kernel_counts count_kernels();

}  // namespace troupe::cpu_kernels::jit
