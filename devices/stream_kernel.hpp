// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "troupe/devices/row_repeats.hpp"

namespace troupe {

class stream;

/// Input of an expression: rows of elements, with distances in elements.
struct row_input {
  const void* data;
  std::int64_t row_stride, stride;
  row_repeats repeats = {};
};

/// Rows of elements that an expression computes. Its outputs are contiguous; each may be the memory
/// of an input that lies likewise. Each of the numbers begins 8 bytes.
struct row_work {
  std::int64_t rows, row;  ///< their number and length
  std::span<const row_input> inputs;
  std::span<void* const> outputs;
  std::span<const std::uint64_t> numbers;
};

/// Expression, compiled for the streams of a device. It knows no sizes.
class stream_kernel {
 public:
  virtual ~stream_kernel() = default;
  virtual void launch(const row_work& work, stream& on) const = 0;
};

}  // namespace troupe
