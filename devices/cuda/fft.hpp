// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/driver.hpp"
#include "troupe/devices/dtype.hpp"

namespace troupe::cuda {

/// Transforms of one length, whose numbers lie one after another.
struct fft_lines {
  fft_op op;
  dtype part;  ///< float32 or float64
  std::int64_t length, count;

  friend bool operator<(const fft_lines& a, const fft_lines& b) noexcept {
    return std::tie(a.op, a.part, a.length, a.count) < std::tie(b.op, b.part, b.length, b.count);
  }
};

/// Returns the bytes of scratch memory that the transforms need.
std::size_t fft_workspace(stream& on, const fft_lines& what);

/// Puts transforms without a scale on a stream. irfft overwrites its input.
void transform(stream& on, const fft_lines& what, bool inverse, void* in, void* out,
               void* workspace);

}  // namespace troupe::cuda
