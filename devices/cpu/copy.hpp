// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe {

/// Lays an input of any strides out in row-major order. The output has as many elements as the
/// input; its own shape does not matter, so that this is also the kernel of a reshape that cannot
/// be a view.
const cpu_kernel* copy_kernel(dtype type) noexcept;

}  // namespace troupe
