// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "troupe/tasks/clock.hpp"

namespace troupe {

/// Rhythm in which a client's thread submits tasks and reads values. A thread that reads again soon
/// gains little by going on at once, and pays for each hand-over: it may be quicker to compute what
/// it submits itself. Whether it is depends on the tasks, the cores, and who else uses them, so
/// both ways are timed now and then, and the quicker one is taken. Belongs to one thread.
class client_rhythm {
 public:
  /// Begins an interval: the thread has read a value since it submitted its last task.
  void begin(ticks time) noexcept;
  /// Returns true if the thread should compute what it submits in this interval.
  bool computes() const noexcept { return computes_; }
  /// Returns the time that the interval before took.
  ticks last() const noexcept { return last_; }

  /// Notes a task that takes so many nanoseconds by a guess, which is always the same, and by what
  /// was learned. Returns true if the thread should compute it, and not if there is much more in
  /// this interval than was to be expected.
  bool submits(float guess, float expected) noexcept;

 private:
  /// Times that intervals with about as much work took, as multiples of their estimates; 0 if not
  /// known.
  struct pace {
    float passing_on = 0, computing = 0;
    std::uint16_t turn = 0, rest = 0;  ///< the interval, and how many a trial comes after
    int slower = 0;  ///< intervals in a row that took far longer than the other way does

    bool choose(bool little) noexcept;
    void note(bool computed, float multiple) noexcept;
  };

  pace* pace_of(float nanoseconds) noexcept;

  std::array<pace, 24> paces_{};  ///< by the guessed work in an interval, two to each power of two
  float before_ = 0;              ///< nanoseconds of guessed work in the interval before
  float expected_ = 0;            ///< the most of them in the two before, as steps may alternate
  float work_ = 0;                ///< those of this interval, so far
  ticks began_ = 0, last_ = 0;
  bool computes_ = false;  ///< in this interval
  int since_change_ = 0;   ///< intervals in a row that went the same way
};

}  // namespace troupe
