// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tensor/tensor.hpp"

/// Diagonals of matrices and the triangles beside them. Diagonal k consists of the elements (i, i +
/// k): 0 is the main one, negative ones are below it.

namespace troupe {

/// A view of a diagonal of the matrices that two axes form; it comes as the last axis, behind the
/// axes that are left. NumPy's. Throws unless the axes are there and differ.
tensor diagonal(const tensor& x, std::int64_t offset = 0, int axis1 = 0, int axis2 = 1,
                caller where = caller::current());
/// Of a vector the square matrix with it on a diagonal and zeros elsewhere, of a matrix a view of
/// its diagonal. Throws for all else.
tensor diag(const tensor& x, std::int64_t diagonal = 0, caller where = caller::current());

/// `rows` x `columns` numbers, 1 up to and on a diagonal and 0 beyond it. Without `columns`:
/// square. float32 where the options name no dtype.
tensor tri(std::int64_t rows, std::optional<std::int64_t> columns = {}, std::int64_t diagonal = 0,
           const tensor_options& options = {}, caller where = caller::current());
/// The elements of matrices (the last two axes) on a diagonal and below it, zeros above it. Throws
/// for fewer than two axes.
tensor tril(const tensor& x, std::int64_t diagonal = 0, caller where = caller::current());
/// The elements of matrices (the last two axes) on a diagonal and above it, zeros below it. Throws
/// for fewer than two axes.
tensor triu(const tensor& x, std::int64_t diagonal = 0, caller where = caller::current());

}  // namespace troupe
