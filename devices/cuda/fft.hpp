// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/driver.hpp"
#include "troupe/devices/dtype.hpp"

namespace troupe::cuda {

/// Transforms of one length, whose numbers lie one after another.
struct fft_lines {
  fft_op op;
  dtype part;  ///< float32 or float64
  std::int64_t length, count;

  auto operator<=>(const fft_lines&) const = default;
};

/// Returns the bytes of scratch memory that the transforms need.
std::size_t fft_workspace(stream& on, const fft_lines& what);

/// Puts transforms without a scale on a stream. irfft overwrites its input.
void transform(stream& on, const fft_lines& what, bool inverse, void* in, void* out,
               void* workspace);

}  // namespace troupe::cuda
