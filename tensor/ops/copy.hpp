// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The same elements in an array of their own, in row-major order.
tensor copy(const tensor& x, caller where = caller::current());

/// `x` itself if its elements lie in row-major order without gaps, else a copy.
tensor contiguous(const tensor& x, caller where = caller::current());

extern const operation copy_operation;

}  // namespace troupe
