// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "troupe/tensor/tensor.hpp"

/// Lengths of vectors and matrices. Integers and bool become float64.

namespace troupe::linalg {

/// The order of a norm: a number, which may be infinite, or "fro" or "nuc".
class norm_order {
 public:
  template <arithmetic T>
  norm_order(T number) noexcept : number_(static_cast<double>(number)) {}
  norm_order(std::string_view name) noexcept : name_(name) {}
  norm_order(const char* name) noexcept : name_(name) {}

  double number() const noexcept { return number_; }
  std::string_view name() const noexcept { return name_; }  ///< empty for a number

 private:
  double number_ = 0;
  std::string_view name_;
};

/// The norm of vectors along axes, all of them together: sum(abs(x)^order)^(1/order); the greatest
/// or the least size for inf and -inf, the number of elements that are not 0 for 0.
tensor vector_norm(const tensor& x, const axes& over = {}, flag keep = false, double order = 2,
                   caller where = caller::current());

/// The norm of matrices, the last two axes: the root of the sum of squares ("fro"), the sum of the
/// singular values ("nuc"), the greatest or least of them (2, -2), the greatest or least sum of
/// sizes along columns (1, -1) or rows (inf, -inf). Throws for other orders.
tensor matrix_norm(const tensor& x, flag keep = false, const norm_order& order = "fro",
                   caller where = caller::current());

/// NumPy's norm. Without an order the root of the sum of squares, over any axes. With one, that of
/// vectors along one axis, or of matrices in two axes, of which the first counts rows; without axes
/// `x` has to be a vector or a matrix.
tensor norm(const tensor& x, const std::optional<norm_order>& order = {},
            const std::optional<axes>& over = {}, flag keep = false,
            caller where = caller::current());

/// The condition of matrices: matrix_norm(x) * matrix_norm(inv(x)), or for 2 and -2 the quotient of
/// the greatest and least singular values. Fails for a singular matrix but with 2 and -2.
tensor cond(const tensor& x, const norm_order& order = 2, caller where = caller::current());

}  // namespace troupe::linalg
