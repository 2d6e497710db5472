// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/elementwise.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/scalar.hpp"
#include "troupe/tensor/tensor.hpp"

/// The elementwise functions: one for each row of elementwise.def, which says what each computes.
/// Inputs broadcast and are promoted as in NumPy, and numbers give way to the tensors they meet
/// (scalar.hpp). They throw troupe::error for shapes that do not broadcast and dtypes that the
/// function does not take.

namespace troupe {

/// A tensor or a number, for as long as the call takes.
class tensor_or_scalar {
 public:
  tensor_or_scalar(const tensor& x) noexcept : array_(&x) {}
  tensor_or_scalar(scalar x) noexcept : number_(x) {}
  template <arithmetic T>
  tensor_or_scalar(T x) noexcept : number_(x) {}

  const tensor* array() const noexcept { return array_; }
  scalar number() const noexcept { return number_; }

 private:
  const tensor* array_ = nullptr;
  scalar number_ = 0;
};

#define TROUPE_UNARY(name, domain, forward, dx, doc) \
  tensor name(const tensor& x, caller where = caller::current());
#define TROUPE_BINARY(name, domain, forward, dx, dy, doc)                          \
  tensor name(const tensor& x, const tensor& y, caller where = caller::current()); \
  tensor name(const tensor& x, scalar y, caller where = caller::current());        \
  tensor name(scalar x, const tensor& y, caller where = caller::current());
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc)                       \
  tensor name(const tensor& x, const tensor_or_scalar& y, const tensor_or_scalar& w, \
              caller where = caller::current());
#include "troupe/devices/elementwise.def"

/// The function of a row that is chosen at run time. Throws unless there are as many inputs as it
/// takes.
tensor elementwise(elementwise_op op, std::span<const tensor_or_scalar> inputs,
                   caller where = caller::current());

/// The records of the rows, in the order of the table.
extern const operation elementwise_records[elementwise_op_count];

/// Returns true for the record of a row of the table.
inline bool is_elementwise(const operation& op) noexcept {
  return &op >= elementwise_records && &op < elementwise_records + elementwise_op_count;
}

inline const operation& record(elementwise_op op) noexcept {
  return elementwise_records[static_cast<std::size_t>(op)];
}

}  // namespace troupe
