// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "troupe/devices/cpu/jit/row_kernel.hpp"
#include "troupe/devices/driver.hpp"
#include "troupe/devices/stream_kernel.hpp"
#include "troupe/tensor/program/joined_steps.hpp"

namespace troupe {

/// Elementwise steps that are joined, as machine code for a device.
class compiled_rows {
 public:
  /// Returns the code of such steps, for the lanes of this machine's CPUs. Null where they have
  /// none: if a step, a dtype or an operand's strides are not covered, there is no compiler for
  /// this CPU, or TROUPE_JIT is 0.
  static std::shared_ptr<const compiled_rows> for_lanes(const joined_steps& steps);
  /// The same for the streams of a device; strides may be any.
  static std::shared_ptr<const compiled_rows> for_streams(const joined_steps& steps, driver& of);

  /// Returns true if code can convert elements of one dtype to those of another.
  static bool converts(dtype from, dtype to) noexcept;

  // On lanes.

  std::int64_t chunks() const noexcept;
  /// Runs chunks [first, last).
  void run(const kernel_args& args, std::int64_t first, std::int64_t last) const;
  /// Runs elements [first, last), counted through all rows.
  void run_elements(const kernel_args& args, std::int64_t first, std::int64_t last) const;

  // On a stream.

  void launch(const kernel_args& args, stream& on) const;

 private:
  /// Input of the code: an array, at this distance between rows and between elements.
  struct input {
    std::size_t position;
    std::int64_t offset;
    std::int64_t strides[2];
    row_repeats repeats;
    std::int64_t size;  ///< bytes of an element

    /// Returns true if a row begins behind the last element of the one before.
    bool continues(std::int64_t row) const noexcept {
      return repeats.each == 1 && strides[0] == strides[1] * row;
    }

    bool operator==(const input&) const noexcept = default;
  };
  struct output {
    std::size_t position;
    std::int64_t size;
  };
  class reader;

  element_expression read(const joined_steps& steps, bool any_stride);
  void merge_rows() noexcept;

  std::shared_ptr<const cpu_kernels::jit::row_kernel> on_lanes_;
  std::shared_ptr<const stream_kernel> on_stream_;
  std::vector<input> inputs_;
  std::vector<output> outputs_;
  std::vector<std::uint64_t> numbers_;
  std::int64_t rows_ = 1, row_ = 0;
};

}  // namespace troupe
