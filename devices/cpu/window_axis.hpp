// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace troupe::cpu_kernels {

/// The windows along one axis: tap t of output number i reads input number stride * i +
/// taps[t].shift, which is a zero where there is no such input.
struct window_axis {
  struct tap {
    std::int64_t shift;
    std::int64_t index;  ///< in the kernel
  };

  std::int64_t inputs, outputs, stride;
  std::vector<tap> taps;
};

/// The way a kernel is laid over an axis.
struct window_steps {
  std::int64_t size, stride, padding, dilation;
};

/// The windows that a convolution looks through.
window_axis sliding_windows(std::int64_t inputs, std::int64_t outputs, const window_steps& kernel);

/// The windows through which some inputs of a convolution see its outputs: those number `phase`,
/// phase + stride, ... What is read are the convolution's outputs.
window_axis transposed_windows(std::int64_t inputs, std::int64_t outputs,
                               const window_steps& kernel, std::int64_t phase);

}  // namespace troupe::cpu_kernels
