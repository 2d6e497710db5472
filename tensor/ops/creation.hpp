// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/scalar.hpp"
#include "troupe/tensor/tensor.hpp"

/// New tensors. They belong to this thread's engine and lie on its default device, unless the
/// options name another. Where nothing else is said their dtype is float32. Every function also
/// takes a dtype in place of the options.

namespace troupe {

tensor zeros(const shape& sizes, const tensor_options& options = {},
             caller where = caller::current());
tensor ones(const shape& sizes, const tensor_options& options = {},
            caller where = caller::current());
/// Filled with a number. The dtype is bool for a bool, int64 for an integer and float32 for a real
/// number.
tensor full(const shape& sizes, scalar number, const tensor_options& options = {},
            caller where = caller::current());
/// `rows` x `columns` numbers, 1 where column - row == diagonal and 0 elsewhere. Without `columns`:
/// square.
tensor eye(std::int64_t rows, std::optional<std::int64_t> columns = {}, std::int64_t diagonal = 0,
           const tensor_options& options = {}, caller where = caller::current());
/// `size` x `size` numbers, 1 on the main diagonal and 0 elsewhere.
tensor identity(std::int64_t size, const tensor_options& options = {},
                caller where = caller::current());
/// Filled with 0, 1 or a number, of the shape, dtype and device of `x` unless the options name
/// others. `full_like` throws for a number beyond the dtype's range, and drops a fraction that it
/// does not hold.
tensor zeros_like(const tensor& x, const tensor_options& options = {},
                  caller where = caller::current());
tensor ones_like(const tensor& x, const tensor_options& options = {},
                 caller where = caller::current());
tensor full_like(const tensor& x, scalar number, const tensor_options& options = {},
                 caller where = caller::current());
/// start, start + step, ... up to but without stop. int64 if all three are integers. Throws if the
/// step is 0.
tensor arange(scalar start, scalar stop, scalar step = 1, const tensor_options& options = {},
              caller where = caller::current());
/// 0, 1, ... up to but without stop.
tensor arange(scalar stop, const tensor_options& options = {}, caller where = caller::current());

/// Dtype and device of evenly spaced numbers, and whether the last of them is the stop.
struct linspace_options {
  std::optional<troupe::dtype> dtype = {};    ///< absent: float32
  std::optional<troupe::device> device = {};  ///< absent: the thread's default device
  bool endpoint = true;
};

/// `count` evenly spaced numbers from start to stop, both included; without the stop, `count` is
/// the number of steps to it: `linspace(0, 1, 4, {.endpoint = false})` is 0, 0.25, 0.5, 0.75.
tensor linspace(double start, double stop, std::int64_t count = 50,
                const linspace_options& options = {}, caller where = caller::current());
/// Powers of a base, whose exponents are `linspace(start, stop, count)`.
tensor logspace(double start, double stop, std::int64_t count = 50, double base = 10,
                const linspace_options& options = {}, caller where = caller::current());
/// `count` numbers from start to stop, each the same multiple of the one before. Throws if an end
/// is 0, or if their signs differ.
tensor geomspace(double start, double stop, std::int64_t count = 50,
                 const linspace_options& options = {}, caller where = caller::current());
/// An array of this size whose elements nobody has chosen yet. They are zeros, so that results do
/// not depend on what was in memory before.
inline tensor empty(const shape& sizes, const tensor_options& options = {},
                    caller where = caller::current()) {
  return zeros(sizes, options, where);
}
inline tensor empty_like(const tensor& x, const tensor_options& options = {},
                         caller where = caller::current()) {
  return zeros_like(x, options, where);
}

inline tensor zeros(const shape& sizes, given_dtype element, caller where = caller::current()) {
  return zeros(sizes, {.dtype = element}, where);
}
inline tensor ones(const shape& sizes, given_dtype element, caller where = caller::current()) {
  return ones(sizes, {.dtype = element}, where);
}
inline tensor empty(const shape& sizes, given_dtype element, caller where = caller::current()) {
  return empty(sizes, {.dtype = element}, where);
}
inline tensor empty_like(const tensor& x, given_dtype element, caller where = caller::current()) {
  return empty_like(x, {.dtype = element}, where);
}
inline tensor full(const shape& sizes, scalar number, given_dtype element,
                   caller where = caller::current()) {
  return full(sizes, number, {.dtype = element}, where);
}
inline tensor eye(std::int64_t rows, const tensor_options& options,
                  caller where = caller::current()) {
  return eye(rows, {}, 0, options, where);
}
inline tensor eye(std::int64_t rows, given_dtype element, caller where = caller::current()) {
  return eye(rows, {}, 0, {.dtype = element}, where);
}
inline tensor identity(std::int64_t size, given_dtype element, caller where = caller::current()) {
  return identity(size, {.dtype = element}, where);
}
inline tensor zeros_like(const tensor& x, given_dtype element, caller where = caller::current()) {
  return zeros_like(x, {.dtype = element}, where);
}
inline tensor ones_like(const tensor& x, given_dtype element, caller where = caller::current()) {
  return ones_like(x, {.dtype = element}, where);
}
inline tensor full_like(const tensor& x, scalar number, given_dtype element,
                        caller where = caller::current()) {
  return full_like(x, number, {.dtype = element}, where);
}
inline tensor arange(scalar stop, given_dtype element, caller where = caller::current()) {
  return arange(stop, {.dtype = element}, where);
}
inline tensor arange(scalar start, scalar stop, given_dtype element,
                     caller where = caller::current()) {
  return arange(start, stop, 1, {.dtype = element}, where);
}
inline tensor arange(scalar start, scalar stop, scalar step, given_dtype element,
                     caller where = caller::current()) {
  return arange(start, stop, step, {.dtype = element}, where);
}
inline tensor linspace(double start, double stop, std::int64_t count, given_dtype element,
                       caller where = caller::current()) {
  return linspace(start, stop, count, {.dtype = element}, where);
}

extern const operation full_operation, zeros_operation, ones_operation, eye_operation,
    arange_operation, linspace_operation;

}  // namespace troupe
