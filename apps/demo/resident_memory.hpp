// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace troupe::demo {

/// Bytes of this process in main memory, as the system counts them; 0 where it does not say.
struct resident_memory {
  std::size_t current = 0;
  std::size_t peak = 0;
};

resident_memory read_resident_memory();

/// Gives free memory back to the system, and has the peak counted from here on.
void restart_peak();

}  // namespace troupe::demo
