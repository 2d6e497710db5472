// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/devices/device.hpp"
#include "troupe/devices/dtype.hpp"

namespace troupe {

/// What a new tensor is made of and where: `zeros({2, 3}, {.dtype = float64, .device = cpu(1)})`.
struct tensor_options {
  std::optional<troupe::dtype> dtype = {};    ///< absent: what the function says
  std::optional<troupe::device> device = {};  ///< absent: the thread's default device
};

/// While it lives, new tensors of this thread are made on a given device: `on_device
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

/// The device that this thread makes new tensors on: cpu:0 unless an `on_device` lives.
device default_device() noexcept;

}  // namespace troupe
