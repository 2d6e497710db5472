// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "troupe/devices/array.hpp"

/// The parameters of kernels beside their operands: the structs that `kernel_args::attributes`
/// points to. Those that are equal make equal results, to the bit: -0 differs from 0, and a NaN
/// equals itself.

namespace troupe {

/// Returns true if both have the same bits.
constexpr bool same_bits(double a, double b) noexcept {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

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

  bool operator==(const reduction_attributes&) const = default;
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
    case reduction_op::prod:
      if (is_inexact(input)) return input;
      return is_unsigned(input) ? uint64 : int64;
    case reduction_op::mean:
      if (is_complex(input)) return input;
      break;
    case reduction_op::sum_of_squares:
    case reduction_op::variance:
    case reduction_op::logsumexp: break;
  }
  return is_floating(input) ? input : float64;
}

enum class cumulative_op : std::uint8_t { sum, prod, max, min, logsumexp };

/// The dtype of a cumulative operation's result.
constexpr dtype cumulative_result(cumulative_op op, dtype input) noexcept {
  constexpr reduction_op last[] = {reduction_op::sum, reduction_op::prod, reduction_op::max,
                                   reduction_op::min, reduction_op::logsumexp};
  return reduction_result(last[static_cast<std::size_t>(op)], input);
}

enum class softmax_op : std::uint8_t { softmax, log_softmax };

struct softmax_attributes {
  int axis;

  bool operator==(const softmax_attributes&) const = default;
};

/// x @ weight + bias, and the function that is applied to it.
enum class linear_op : std::uint8_t { linear, linear_relu };

/// A number as exact as the dtype it is for: bool and integer kernels read `integer`, floating ones
/// `real`, complex ones `imaginary`, too.
struct scalar_attribute {
  double real = 0;
  std::int64_t integer = 0;
  double imaginary = 0;

  constexpr scalar_attribute() noexcept = default;
  constexpr scalar_attribute(double value) noexcept : real(value), integer(truncate(value)) {}
  constexpr scalar_attribute(std::int64_t value) noexcept
      : real(static_cast<double>(value)), integer(value) {}
  /// Above int64's numbers, `integer` has the bits of uint64.
  constexpr scalar_attribute(std::uint64_t value) noexcept
      : real(static_cast<double>(value)), integer(static_cast<std::int64_t>(value)) {}
  constexpr scalar_attribute(int value) noexcept : real(value), integer(value) {}
  constexpr scalar_attribute(std::complex<double> value) noexcept : scalar_attribute(value.real()) {
    imaginary = value.imag();
  }
  constexpr scalar_attribute(bool value) noexcept : real(value), integer(value) {}

  bool operator==(const scalar_attribute& other) const noexcept {
    return same_bits(real, other.real) && integer == other.integer &&
           same_bits(imaginary, other.imaginary);
  }

 private:
  static constexpr std::int64_t truncate(double value) noexcept {
    if (value >= -0x1p63 && value < 0x1p63) return static_cast<std::int64_t>(value);
    if (value >= 0x1p63 && value < 0x1p64)
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(value));
    return INT64_MIN;
  }
};

struct full_attributes {
  scalar_attribute value;

  bool operator==(const full_attributes&) const = default;
};

/// Element i is start + i * step.
struct arange_attributes {
  scalar_attribute start;
  scalar_attribute step;

  bool operator==(const arange_attributes&) const = default;
};

/// Element i is start + i * step; if the stop is included, the last one is exactly that.
struct linspace_attributes {
  double start;
  double stop;
  double step;
  bool with_stop = true;

  bool operator==(const linspace_attributes& other) const noexcept {
    return same_bits(start, other.start) && same_bits(stop, other.stop) &&
           same_bits(step, other.step) && with_stop == other.with_stop;
  }
};

/// Ones where column - row == diagonal in the last two axes, zeros elsewhere.
struct eye_attributes {
  std::int64_t diagonal = 0;

  bool operator==(const eye_attributes&) const = default;
};

/// The place of random numbers: element i of an output depends on the key, the counter and i alone.
/// An output of n elements uses up `philox::counters(n)` counters; the next one with the same key
/// starts behind them.
struct random_source {
  /// The first counter of a user's key. The numbers of an engine stay below.
  static constexpr std::uint64_t first_of_key = std::uint64_t{1} << 63;

  std::uint64_t key;
  std::uint64_t counter;

  /// Returns true if they are those of a user's key: the same at each call of a program.
  bool is_of_key() const noexcept { return counter >= first_of_key; }
  bool operator==(const random_source&) const = default;
};

struct uniform_attributes {
  random_source source;
  double low = 0;
  double high = 1;

  bool operator==(const uniform_attributes& other) const noexcept {
    return source == other.source && same_bits(low, other.low) && same_bits(high, other.high);
  }
};

struct normal_attributes {
  random_source source;
  double mean = 0;
  double standard_deviation = 1;

  bool operator==(const normal_attributes& other) const noexcept {
    return source == other.source && same_bits(mean, other.mean) &&
           same_bits(standard_deviation, other.standard_deviation);
  }
};

/// Integers in [low, high).
struct randint_attributes {
  random_source source;
  std::int64_t low;
  std::int64_t high;

  bool operator==(const randint_attributes&) const = default;
};

/// The distributions that are drawn by rejection, each element from the blocks of a counter of its
/// own. An output of n elements uses up n counters.
enum class variate_op : std::uint8_t { gamma, beta, poisson, truncated_normal };

struct variate_attributes {
  random_source source;

  bool operator==(const variate_attributes&) const = default;
};

/// The axis along which `concatenate` joins, `take` picks and `index_add` adds.
struct axis_attributes {
  int axis;

  bool operator==(const axis_attributes&) const = default;
};

/// The axis of `take_along_axis` and `add_along_axis`, and whether the indices are labels: none of
/// them is negative.
struct along_axis_attributes {
  int axis;
  bool labels = false;

  bool operator==(const along_axis_attributes&) const = default;
};

/// The way in which `put` joins an element and one that is put there.
enum class put_op : std::uint8_t { set, add, multiply, minimum, maximum };

/// The order of `sort` and `argsort`.
struct sort_attributes {
  bool descending = false;

  bool operator==(const sort_attributes&) const = default;
};

/// The number of places that `argtopk` finds in each row.
struct topk_attributes {
  std::int64_t count;

  bool operator==(const topk_attributes&) const = default;
};

/// The side of equal elements on which `searchsorted` puts a value.
struct search_attributes {
  bool right = false;

  bool operator==(const search_attributes&) const = default;
};

/// A part of a contiguous array: its element (i, j, ...) is number offset + i * strides[0] + j *
/// strides[1] + ... there.
struct strided_part {
  std::int64_t offset = 0;
  std::int64_t strides[max_rank] = {};

  bool operator==(const strided_part&) const = default;
};

/// The place where `unslice` puts its input.
struct part_attributes {
  std::shared_ptr<const strided_part> part;

  bool operator==(const part_attributes& other) const noexcept { return *part == *other.part; }
};

/// The steps of a kernel over images: number 0 is down the columns, number 1 along the rows.
struct convolution_attributes {
  std::int64_t stride[2];
  std::int64_t padding[2];
  std::int64_t dilation[2];
  std::int64_t groups;

  bool operator==(const convolution_attributes&) const = default;
};

/// The same for a pool's windows.
struct pooling_attributes {
  std::int64_t size[2];
  std::int64_t stride[2];
  std::int64_t padding[2];

  bool operator==(const pooling_attributes&) const = default;
};

/// The functions of linear algebra that have kernels of their own.
/// Discrete Fourier transforms along the last axis.
enum class fft_op : std::uint8_t {
  fft,    ///< complex numbers
  rfft,   ///< real ones to n / 2 + 1 complex ones
  irfft,  ///< those to n real ones
};

struct fft_attributes {
  bool inverse;         ///< exp(+2 pi i j k / n) instead of exp(-2 pi i j k / n)
  double scale;         ///< by which the results are multiplied
  std::int64_t length;  ///< n

  bool operator==(const fft_attributes& other) const noexcept {
    return inverse == other.inverse && same_bits(scale, other.scale) && length == other.length;
  }
};

enum class linalg_op : std::uint8_t {
  cholesky,
  solve,
  solve_triangular,
  inv,
  det,
  slogdet,
  lu,
  qr,
  svd,
  svdvals,
  eigh,
  eigvalsh,
  expm,
  eig,
  eigvals
};

struct linalg_attributes {
  bool upper = false;       ///< solve_triangular: the upper triangle counts, not the lower one
  bool transposed = false;  ///< solve_triangular: the transposed matrix is meant
  bool unit = false;        ///< solve_triangular: the diagonal counts as ones
  bool complete = false;    ///< qr and svd: the orthogonal factors are square

  bool operator==(const linalg_attributes&) const = default;
};

}  // namespace troupe
