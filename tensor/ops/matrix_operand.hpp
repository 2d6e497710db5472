// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// What matrices are multiplied as: of a dtype, and as they lie, or copied where each part of the
/// product would have to copy them for itself. `x` has two axes or more.
tensor matrix_operand(const tensor& x, dtype element, caller where);

}  // namespace troupe
