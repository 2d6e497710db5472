// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "troupe/devices/driver.hpp"
#include "troupe/devices/memory.hpp"

namespace troupe {

/// The shares of CPU devices in a machine's cores and memory.
struct cpu_settings {
  int devices = 1;  ///< at least 1
  int lanes = 0;    ///< threads of each device; 0: its share of the cores, at least one
  std::size_t memory_limit = 0;  ///< bytes that each device may keep for reuse
  page_lock lock = {};           ///< for large blocks of memory
};

/// CPU devices with equal shares of the cores this process may use. A device's lanes keep to
/// its share, and to a core each where there are as many.
drivers make_cpu_drivers(const cpu_settings& settings);

/// The number of cores this process may keep busy: those it may run on, or as many as its control
/// group pays for.
int available_cores();

/// Bytes of memory this process may use: the machine's, or its control group's.
std::size_t available_memory();

}  // namespace troupe
