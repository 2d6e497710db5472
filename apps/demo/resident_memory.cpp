// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/resident_memory.hpp"

#include <malloc.h>

#include <fstream>
#include <string>

namespace troupe::demo {

resident_memory read_resident_memory() {
  resident_memory found;
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;) {
    std::size_t* into = word == "VmRSS:"   ? &found.current
                        : word == "VmHWM:" ? &found.peak
                                           : nullptr;
    if (into && in >> *into) *into *= 1024;
  }
  return found;
}

void restart_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5 << std::flush;
}

}  // namespace troupe::demo
