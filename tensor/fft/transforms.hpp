// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::fft::detail {

/// Submits a transform along the last axis, of numbers that its kernels take.
tensor submit(fft_op op, const tensor& x, const fft_attributes& given, caller where);

/// Returns a tensor whose last axis is cut to n elements, or filled with zeros.
tensor fitted(const tensor& x, std::int64_t n, caller where);

}  // namespace troupe::fft::detail
