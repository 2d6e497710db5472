// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/driver.hpp"

namespace troupe::testing {

/// The GPU that the tests of this program are about: this machine's first, or one that runs CUDA's
/// kernels on the host. Null if the machine has none.
std::shared_ptr<driver> gpu_under_test();

}  // namespace troupe::testing
