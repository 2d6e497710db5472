// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/devices/device.hpp"
#include "troupe/devices/dtype.hpp"

namespace troupe {

/// Dtype and device of a new tensor: `zeros({2, 3}, {.dtype = float64, .device = cpu(1)})`.
struct tensor_options {
  std::optional<troupe::dtype> dtype = {};    ///< absent: the function's default
  std::optional<troupe::device> device = {};  ///< absent: the thread's default device
};

/// A dtype as an argument. `{}` is none: `zeros({2}, {})` has the default options.
class given_dtype {
 public:
  constexpr given_dtype(troupe::dtype element) noexcept : element_(element) {}
  constexpr operator troupe::dtype() const noexcept { return element_; }

 private:
  troupe::dtype element_;
};

/// Scope in which new tensors of this thread are created on a given device: `on_device
/// guard(cpu(1));`.
class on_device {
 public:
  explicit on_device(device d) noexcept;
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;
  ~on_device();

 private:
  device before_;
};

/// Returns the device on which this thread creates new tensors: cpu:0 outside any `on_device`.
device default_device() noexcept;

}  // namespace troupe
