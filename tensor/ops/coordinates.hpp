// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "troupe/tensor/tensor.hpp"

/// Places of elements: as numbers in row-major order, and as coordinates, one for each axis.

namespace troupe {

/// int64 [count, axes]: the coordinates of the elements that differ from 0, a row for each, in
/// row-major order. NaN does. Waits for `x`. Throws for no axes.
tensor argwhere(const tensor& x, caller where = caller::current());
/// int64: their numbers. Waits for `x`.
tensor flatnonzero(const tensor& x, caller where = caller::current());

/// int64: the coordinates that belong to numbers of elements of an array of this shape, for each
/// axis. Those of a number out of bounds are, too, along the first axis. Throws unless `numbers`
/// are integers, and for no axes.
std::vector<tensor> unravel_index(const tensor& numbers, const shape& sizes,
                                  caller where = caller::current());
/// int64: the numbers that belong to coordinates, one tensor for each axis; they broadcast. Throws
/// unless they are integers and as many as axes.
tensor ravel_multi_index(const std::vector<tensor>& coordinates, const shape& sizes,
                         caller where = caller::current());

/// int64: the rows and the columns of the elements of a matrix on a diagonal and below it, or above
/// it; see diagonals.hpp. Without `columns`: square. They wait for nothing of the user's.
std::vector<tensor> tril_indices(std::int64_t rows, std::int64_t diagonal = 0,
                                 std::optional<std::int64_t> columns = {},
                                 caller where = caller::current());
std::vector<tensor> triu_indices(std::int64_t rows, std::int64_t diagonal = 0,
                                 std::optional<std::int64_t> columns = {},
                                 caller where = caller::current());

}  // namespace troupe
