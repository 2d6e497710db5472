// SPDX-License-Identifier: MIT
#include "troupe/tasks/clock.hpp"

#include <atomic>
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

/// Seconds per tick, 0 until they are measured. No local static: a process that is forked while
/// another thread measures would wait for that thread, which it lacks, for ever.
std::atomic<double> measured = 0;

double seconds_per_tick() {
  if (const auto known = measured.load(std::memory_order_relaxed); known != 0) return known;
  const auto mine = measure_seconds_per_tick();
  double first = 0;
  return measured.compare_exchange_strong(first, mine) ? mine : first;
}

}  // namespace

double seconds_between(ticks start, ticks end) {
  return static_cast<double>(static_cast<std::int64_t>(end - start)) * seconds_per_tick();
}

ticks ticks_in(double seconds) { return static_cast<ticks>(seconds / seconds_per_tick()); }

}  // namespace troupe
