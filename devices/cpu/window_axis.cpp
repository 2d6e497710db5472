// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/window_axis.hpp"

namespace troupe::cpu_kernels {

window_axis sliding_windows(std::int64_t inputs, std::int64_t outputs, const window_steps& kernel) {
  window_axis axis{inputs, outputs, kernel.stride, {}};
  for (std::int64_t i = 0; i < kernel.size; ++i)
    axis.taps.push_back({i * kernel.dilation - kernel.padding, i});
  return axis;
}

window_axis transposed_windows(std::int64_t inputs, std::int64_t outputs,
                               const window_steps& kernel, std::int64_t phase) {
  const std::int64_t seen = phase < inputs ? (inputs - phase - 1) / kernel.stride + 1 : 0;
  window_axis axis{outputs, seen, 1, {}};
  for (std::int64_t i = 0; i < kernel.size; ++i) {
    const std::int64_t distance = phase + kernel.padding - i * kernel.dilation;
    if (distance % kernel.stride == 0) axis.taps.push_back({distance / kernel.stride, i});
  }
  return axis;
}

}  // namespace troupe::cpu_kernels
