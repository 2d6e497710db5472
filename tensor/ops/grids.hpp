// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "troupe/tensor/flag.hpp"
#include "troupe/tensor/tensor.hpp"

/// Elements spread along new axes: coordinates of grids, powers and classes.

namespace troupe {

/// The coordinates of the points of a grid, from those along each axis: views of vectors, or of
/// scalars as of vectors of one element. With "xy" the first two axes of the grid change places,
/// with "ij" they do not. Throws for coordinates with more axes and for another text.
std::vector<tensor> meshgrid(const std::vector<tensor>& coordinates,
                             std::string_view indexing = "xy", caller where = caller::current());

/// For each label a new last axis of so many classes, 1 at the label and 0 elsewhere; for labels
/// out of range 0 everywhere. Throws unless the labels are integers.
tensor one_hot(const tensor& x, std::int64_t classes, dtype element = float32,
               caller where = caller::current());

/// The powers of each element of a vector as a row: from the highest one down to 0, or from 0 up
/// if `increasing`. As many columns as elements unless said otherwise. Of bool and integers: int64,
/// of floats: float64.
tensor vander(const tensor& x, std::optional<std::int64_t> columns = {}, flag increasing = false,
              caller where = caller::current());

}  // namespace troupe
