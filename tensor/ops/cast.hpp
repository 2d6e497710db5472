// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The elements converted to another dtype: real numbers are truncated for integers, and anything
/// but 0 is true. `x` itself if it has that dtype.
tensor astype(const tensor& x, dtype element, caller where = caller::current());

extern const operation astype_operation;

}  // namespace troupe
