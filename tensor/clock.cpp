// SPDX-License-Identifier: MIT
#include "troupe/tensor/clock.hpp"

#include <chrono>
#include <thread>

namespace troupe {

namespace {

double measure_seconds_per_tick() {
  using clock = std::chrono::steady_clock;
  const auto t0 = clock::now();
  const auto c0 = now();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const auto c1 = now();
  const auto t1 = clock::now();
  return std::chrono::duration<double>(t1 - t0).count() / static_cast<double>(c1 - c0);
}

}  // namespace

double seconds_between(ticks start, ticks end) {
  static const double seconds_per_tick = measure_seconds_per_tick();
  return static_cast<double>(static_cast<std::int64_t>(end - start)) * seconds_per_tick;
}

}  // namespace troupe
