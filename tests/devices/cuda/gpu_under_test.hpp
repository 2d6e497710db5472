// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/driver.hpp"

namespace troupe::testing {

/// Returns the GPU that this program tests: the machine's first, or one that runs CUDA kernels on
/// the host. Null if the machine has none.
std::shared_ptr<driver> gpu_under_test();

}  // namespace troupe::testing
