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
  std::size_t capacity = 0;      ///< bytes that each lends at most; 0: what this process may use
};

/// CPU devices with shares of the cores this process may use: whole cores, on one socket or NUMA
/// node where the shares come out so. Several devices keep to their shares, and the memory of each
/// is on its node.
drivers make_cpu_drivers(const cpu_settings& settings);

/// The number of cores this process may keep busy: those it may run on, or as many as its control
/// group pays for.
int available_cores();

/// Bytes of memory this process may use: the machine's, or its control group's.
std::size_t available_memory();

}  // namespace troupe
