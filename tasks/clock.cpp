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

std::int64_t steady_nanoseconds() noexcept {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

/// Measured since this was made, if that is long enough.
double clock_translation::nanoseconds_per_tick() const {
  constexpr std::int64_t long_enough = 20'000'000;
  const auto time = steady_nanoseconds() - nanoseconds_;
  if (time < long_enough) return seconds_per_tick() * 1e9;
  return static_cast<double>(time) / static_cast<double>(now() - ticks_);
}

std::int64_t clock_translation::nanoseconds(ticks t) const {
  const auto since = static_cast<double>(static_cast<std::int64_t>(t - ticks_));
  return nanoseconds_ + static_cast<std::int64_t>(since * nanoseconds_per_tick());
}

ticks clock_translation::ticks_at(std::int64_t nanoseconds) const {
  const auto since = static_cast<double>(nanoseconds - nanoseconds_) / nanoseconds_per_tick();
  return ticks_ + static_cast<ticks>(static_cast<std::int64_t>(since));
}

}  // namespace troupe
