// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>

#include "troupe/tasks/clock.hpp"

/// Measurements of this process: its time, its cores and its memory.
namespace troupe::demo {

/// Returns how many seconds it takes to call `work`.
template <class Work>
double seconds_of(Work&& work) {
  const ticks start = now();
  std::forward<Work>(work)();
  return seconds_between(start, now());
}

/// Measures for a fifth of a second how many cores this process gets if it wants them all.
double measure_free_cores();

/// Bytes of this process in main memory, as the system counts them; 0 where it does not say.
struct resident_memory {
  std::size_t current = 0;
  std::size_t peak = 0;
};

resident_memory read_resident_memory();

/// Gives free memory back to the system, and has the peak counted from here on.
void restart_peak();

}  // namespace troupe::demo
