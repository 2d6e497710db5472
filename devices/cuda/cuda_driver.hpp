// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "troupe/devices/driver.hpp"
#include "troupe/devices/memory.hpp"

namespace troupe {

/// Returns the drivers of this machine's GPUs, at most `most`, in CUDA's order; each may hold
/// `memory_limit` bytes, but at most nine tenths of its free memory. Empty without a GPU, its
/// driver, or CUDA in this build.
drivers make_cuda_drivers(int most, std::size_t memory_limit);

/// Returns functions that register the host's pages with the GPUs, which then copy them faster.
page_lock cuda_page_lock() noexcept;

}  // namespace troupe
