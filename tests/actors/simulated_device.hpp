// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "troupe/devices/cpu/cpu_driver.hpp"

namespace troupe::testing {

/// A CPU device for simulations, of which there are many thousands: the system is asked for
/// nothing.
inline std::shared_ptr<driver> simulated_device(int lanes, std::size_t memory_limit) {
  constexpr std::size_t enough = std::size_t{1} << 40;
  return make_cpu_drivers({.lanes = lanes, .memory_limit = memory_limit, .capacity = enough})[0];
}

}  // namespace troupe::testing
