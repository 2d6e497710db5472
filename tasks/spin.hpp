// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <thread>

#include "troupe/tasks/clock.hpp"

namespace troupe {

/// Spinning of one thread, for what is expected within microseconds: sleeping and being woken costs
/// more. A thread that spins keeps its core, so spinning ends early, in the whole process, as soon
/// as somebody else is seen to want the core: a pause took far longer than a pause. It is tried
/// again later, at intervals that double while it does not pay.
class spin {
 public:
  explicit spin(ticks most = 100'000) noexcept : most_(most) { restart(); }

  /// Pauses for a moment. Returns false once spinning should end.
  bool pause() noexcept {
#if defined(__x86_64__)
    for (int i = 0; i < 8; ++i) __builtin_ia32_pause();
#endif
    const auto time = now();
    if (time - last_ > lost_core) [[unlikely]] {
      note_lost_core(time);
      return false;
    }
    last_ = time;
    return time < end_;
  }

  /// Starts anew: what was expected has come, and more is.
  void restart() noexcept {
    last_ = now();
    end_ = pays(last_) ? last_ + most_ : last_;
  }

  /// Ends it: nothing is expected.
  void end() noexcept { last_ = end_ = now(); }

  /// Spins until `done` returns true, which another thread is at work on. Sleeps in between where
  /// spinning does not pay, or after a long time.
  template <class Done>
  static void until(Done&& done) noexcept {
    for (spin self(long_time); !done();) {
      if (self.pause()) continue;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      self.restart();
    }
  }

  /// Returns false while others are seen to want the cores.
  static bool pays(ticks time = now()) noexcept;

 private:
  // Longest time that a pause, or an interrupt in it, may take: about 0.4 milliseconds. Another
  // program that computes keeps a core for milliseconds.
  static constexpr ticks lost_core = 1'000'000;
  static constexpr ticks long_time = 2'000'000;  // about a millisecond

  static void note_lost_core(ticks time) noexcept;

  ticks most_;
  ticks last_ = 0;
  ticks end_ = 0;
};

}  // namespace troupe
