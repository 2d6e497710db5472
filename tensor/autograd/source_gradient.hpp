// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Returns the gradient of a whole array, given the gradient of the view that an operation read, of
/// that view's shape. Repeated elements are added up; elements outside the view are zero.
tensor source_gradient(const tensor& seen_gradient, const view_ref& part, const shape& whole,
                       dtype element);

}  // namespace troupe
