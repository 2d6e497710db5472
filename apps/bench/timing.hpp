// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

/// Clocks, for the benchmarks and the programs that they compare with.
namespace troupe::bench {

/// Reads a clock of the system, such as CLOCK_PROCESS_CPUTIME_ID, in seconds.
inline double seconds_on(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Returns how many seconds `f` takes.
template <class F>
double seconds_of(F&& f, clockid_t clock = CLOCK_MONOTONIC) {
  const auto start = seconds_on(clock);
  f();
  return seconds_on(clock) - start;
}

/// Returns the middle one; of an even number, the mean of the two in the middle.
inline double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  const auto middle = all.size() / 2;
  return all.size() % 2 != 0 ? all[middle] : (all[middle - 1] + all[middle]) / 2;
}

/// Returns how many seconds `f` takes: the median of `count` times.
template <class F>
double median_seconds(int count, F&& f) {
  std::vector<double> all(static_cast<std::size_t>(count));
  for (auto& seconds : all) seconds = seconds_of(f);
  return median(std::move(all));
}

/// Waits until this process rests: thread pools spin for a while before they sleep.
inline void await_rest() {
  constexpr std::chrono::milliseconds pause(10);
  constexpr int most_pauses = 200;
  constexpr double busy_share = 0.02;
  for (int i = 0; i < most_pauses; ++i) {
    const auto busy =
        seconds_of([&] { std::this_thread::sleep_for(pause); }, CLOCK_PROCESS_CPUTIME_ID);
    if (busy < busy_share * std::chrono::duration<double>(pause).count()) return;
  }
}

}  // namespace troupe::bench
