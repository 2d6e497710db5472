// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "troupe/devices/array.hpp"

/// The parameters of kernels beside their operands: the structs that `kernel_args::attributes`
/// points to.

namespace troupe {

enum class reduction_op : std::uint8_t {
  sum,
  prod,
  max,
  min,
  any,
  all,
  argmax,
  argmin,
  mean,
  variance,
  sum_of_squares,
  logsumexp
};

struct reduction_attributes {
  std::uint32_t axes;  ///< bit i is set when axis i of the input is reduced
  int ddof = 0;        ///< variance only: the divisor is the number of elements less this
};

/// The dtype of a reduction's result, as NumPy has it.
constexpr dtype reduction_result(reduction_op op, dtype input) noexcept {
  switch (op) {
    case reduction_op::any:
    case reduction_op::all: return boolean;
    case reduction_op::argmax:
    case reduction_op::argmin: return int64;
    case reduction_op::max:
    case reduction_op::min: return input;
    case reduction_op::sum:
    case reduction_op::prod: return is_floating(input) ? input : int64;
    case reduction_op::sum_of_squares:
    case reduction_op::mean:
    case reduction_op::variance:
    case reduction_op::logsumexp: break;
  }
  return is_floating(input) ? input : float64;
}

enum class softmax_op : std::uint8_t { softmax, log_softmax };

struct softmax_attributes {
  int axis;
};

/// x @ weight + bias, and the function that is applied to it.
enum class linear_op : std::uint8_t { linear, linear_relu };

/// A number as exact as the dtype it is for: bool and integer kernels read `integer`, floating ones
/// `real`.
struct scalar_attribute {
  double real = 0;
  std::int64_t integer = 0;

  constexpr scalar_attribute() noexcept = default;
  constexpr scalar_attribute(double value) noexcept : real(value), integer(truncate(value)) {}
  constexpr scalar_attribute(std::int64_t value) noexcept
      : real(static_cast<double>(value)), integer(value) {}
  constexpr scalar_attribute(int value) noexcept : real(value), integer(value) {}
  constexpr scalar_attribute(bool value) noexcept : real(value), integer(value) {}

 private:
  static constexpr std::int64_t truncate(double value) noexcept {
    if (value >= -0x1p63 && value < 0x1p63) return static_cast<std::int64_t>(value);
    return INT64_MIN;
  }
};

struct full_attributes {
  scalar_attribute value;
};

/// Element i is start + i * step.
struct arange_attributes {
  scalar_attribute start;
  scalar_attribute step;
};

/// Element i is start + i * step, and the last one exactly stop.
struct linspace_attributes {
  double start;
  double stop;
  double step;
};

/// Ones where column - row == diagonal in the last two axes, zeros elsewhere.
struct eye_attributes {
  std::int64_t diagonal = 0;
};

/// The place of random numbers: element i of an output depends on the key, the counter and i alone.
/// An output of n elements uses up `philox::counters(n)` counters; the next one with the same key
/// starts behind them.
struct random_source {
  std::uint64_t key;
  std::uint64_t counter;
};

struct uniform_attributes {
  random_source source;
  double low = 0;
  double high = 1;
};

struct normal_attributes {
  random_source source;
  double mean = 0;
  double standard_deviation = 1;
};

/// Integers in [low, high).
struct randint_attributes {
  random_source source;
  std::int64_t low;
  std::int64_t high;
};

/// The axis along which `concatenate` joins, `take` picks and `index_add` adds.
struct axis_attributes {
  int axis;
};

/// The axis of `take_along_axis` and `add_along_axis`, and whether the indices are labels: none of
/// them is negative.
struct along_axis_attributes {
  int axis;
  bool labels = false;
};

/// A part of a contiguous array: its element (i, j, ...) is number offset + i * strides[0] + j *
/// strides[1] + ... there.
struct strided_part {
  std::int64_t offset = 0;
  std::int64_t strides[max_rank] = {};
};

/// The place where `unslice` puts its input.
struct part_attributes {
  std::shared_ptr<const strided_part> part;
};

/// The steps of a kernel over images: number 0 is down the columns, number 1 along the rows.
struct convolution_attributes {
  std::int64_t stride[2];
  std::int64_t padding[2];
  std::int64_t dilation[2];
  std::int64_t groups;
};

/// The same for a pool's windows.
struct pooling_attributes {
  std::int64_t size[2];
  std::int64_t stride[2];
  std::int64_t padding[2];
};

}  // namespace troupe
