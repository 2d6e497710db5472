// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#if !defined(__x86_64__)
#include <chrono>
#endif

namespace troupe {

/// Point in time, cheap to take (about 10 ns); only `seconds_between` and comparisons give it
/// meaning.
using ticks = std::uint64_t;

inline ticks now() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<ticks>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Returns the seconds from `start` to `end`, negative if `end` is earlier. The counter's rate is
/// measured against the system's steady clock; the first call may take 2 ms.
double seconds_between(ticks start, ticks end);
/// Returns the number of ticks in a time.
ticks ticks_in(double seconds);

/// Returns the time of the system's steady clock, in nanoseconds.
std::int64_t steady_nanoseconds() noexcept;

/// Translates between ticks and the system's steady clock, over hours to some microseconds.
class clock_translation {
 public:
  clock_translation() noexcept : ticks_(now()), nanoseconds_(steady_nanoseconds()) {}

  std::int64_t nanoseconds(ticks t) const;
  ticks ticks_at(std::int64_t nanoseconds) const;

 private:
  double nanoseconds_per_tick() const;

  ticks ticks_;
  std::int64_t nanoseconds_;
};

}  // namespace troupe
