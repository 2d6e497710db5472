// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cuda_driver.hpp"

// Substitutes for CUDA in a build without it.

namespace troupe {

drivers make_cuda_drivers(int, std::size_t) { return {}; }
page_lock cuda_page_lock() noexcept { return {}; }

}  // namespace troupe
