// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "troupe/devices/driver.hpp"
#include "troupe/devices/layout/page_lock.hpp"

namespace troupe {

/// The GPUs of this machine, at most `most` of them, in CUDA's order; each may hold `memory_limit`
/// bytes, but at most nine tenths of what is free. Empty where there is no GPU, no driver for it,
/// or no CUDA in this build.
drivers make_cuda_drivers(int most, std::size_t memory_limit);

/// What makes the host's pages known to the GPUs, which copy them faster then.
page_lock cuda_page_lock() noexcept;

}  // namespace troupe
