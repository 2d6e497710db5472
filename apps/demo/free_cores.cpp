// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/free_cores.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
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
    for (auto& one : threads)
      one = std::jthread([end] {
        while (clock::now() < end) {}
      });
  }
  const auto used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  return used / std::chrono::duration<double>(clock::now() - start).count();
}

}  // namespace troupe::demo
