// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "troupe/tasks/operation.hpp"

namespace troupe {

/// The records of Fourier transforms, in the order of fft_op.
std::span<const operation> fft_operations() noexcept;

}  // namespace troupe
