// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// int64: for each value the place where it would be inserted into a vector that is in ascending
/// order, NaN last: before equal elements ("left") or behind them ("right"). Dtypes are promoted. A
/// vector in another order gives some places. Has no gradient. Throws unless `sorted` is a vector.
tensor searchsorted(const tensor& sorted, const tensor& values, std::string_view side = "left",
                    caller where = caller::current());

extern const operation searchsorted_operation;

}  // namespace troupe
