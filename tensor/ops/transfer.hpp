// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The same elements on another device; `x` itself if it is there already. Throws if there is no
/// such device.
tensor to(const tensor& x, device place, caller where = caller::current());

extern const operation transfer_operation;

}  // namespace troupe
