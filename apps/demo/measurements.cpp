// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/measurements.hpp"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace troupe::demo {

double measure_free_cores() {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  const auto end = start + std::chrono::milliseconds(200);
  const std::clock_t before = std::clock();
  {
    std::vector<std::jthread> threads(std::max(1u, std::thread::hardware_concurrency()));
    for (auto& one : threads) {
      one = std::jthread([end] {
        while (clock::now() < end) {}
      });
    }
  }
  const auto used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  return used / std::chrono::duration<double>(clock::now() - start).count();
}

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
