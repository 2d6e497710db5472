// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "troupe/devices/attributes.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

/// Common parts of the functions of linear algebra.

namespace troupe::linalg::detail {

/// Returns the operation of a function.
const operation& record(linalg_op op) noexcept;

/// Returns `x` as what LAPACK computes with: integers and bool become float64, as in NumPy. Throws
/// if it names no array or has fewer than two axes.
tensor as_matrices(std::string_view what, const tensor& x, caller where);
/// Does the same for square matrices. Throws for others.
tensor as_square_matrices(std::string_view what, const tensor& x, caller where);

/// Submits an operation on checked inputs. Throws where they are not on a CPU.
tensor submit(linalg_op op, std::span<const tensor* const> inputs, const linalg_attributes& given,
              caller where);
inline tensor submit(linalg_op op, const tensor& x, const linalg_attributes& given, caller where) {
  const tensor* const inputs[] = {&x};
  return submit(op, inputs, given, where);
}

/// Returns the axes before the last two.
shape batch_of(const shape& s) noexcept;
/// Returns a shape with more axes behind.
shape with_axes(shape s, std::initializer_list<std::int64_t> more) noexcept;

inline std::int64_t rows_of(const tensor& x) noexcept { return x.shape()[x.rank() - 2]; }
inline std::int64_t columns_of(const tensor& x) noexcept { return x.shape()[x.rank() - 1]; }

/// Returns a view with the last two axes exchanged.
tensor transposed(const tensor& x);
/// Returns the conjugate transposes; of real numbers a view.
tensor adjoint(const tensor& x);

/// Returns the matrices that put row i in place order[i].
tensor permutation_matrix(const tensor& order, dtype element, caller where = caller::current());

/// Throws from a gradient, with the line of the function that was called.
[[noreturn]] void refuse_gradient(const std::string& text);

/// The parts of an operation's output that has several results in a row for each matrix: views.
class parts {
 public:
  explicit parts(const tensor& row) : row_(row) {}

  /// Returns the next part: a number, a vector or a matrix of such sizes for each matrix.
  tensor take(std::initializer_list<std::int64_t> sizes);

 private:
  const tensor& row_;
  std::int64_t begin_ = 0;
};

}  // namespace troupe::linalg::detail
