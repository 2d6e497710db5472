// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe {

/// softmax or log_softmax over the axis in `softmax_attributes`; null unless `type` is floating.
/// The output has the input's shape and dtype.
const cpu_kernel* softmax_kernel(softmax_op op, dtype type) noexcept;

}  // namespace troupe
