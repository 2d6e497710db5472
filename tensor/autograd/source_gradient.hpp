// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The gradient of a whole array, given that of what an operation saw of it: a view, whose shape
/// and dtype are `seen`. What was repeated is added up, what was left out is zero.
tensor source_gradient(const tensor& seen_gradient, const view_ref& part, const shape& whole,
                       dtype element);

}  // namespace troupe
