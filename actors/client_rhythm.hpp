// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "troupe/tasks/clock.hpp"

namespace troupe {

/// Rhythm in which a client's thread submits tasks and reads values. A thread that reads again soon
/// gains little by going on at once, and pays for each hand-over: it may be quicker to compute what
/// it submits itself, alone or jointly with a thread that has nothing else to do. Whether it is
/// depends on the tasks, the cores, and who else uses them, so all ways are timed now and then, and
/// the quickest one is taken. Belongs to one thread.
class client_rhythm {
 public:
  enum class way : std::uint8_t {
    computing,  ///< on this thread
    jointly,    ///< likewise, but others take part in longer tasks
    passing_on  ///< on others
  };

  /// Begins an interval: the thread has read a value since it submitted its last task.
  void begin(ticks time) noexcept;
  /// Returns true if the thread should compute what it submits in this interval.
  bool computes() const noexcept { return way_ != way::passing_on; }
  /// Returns true if the thread has just begun to let others take part.
  bool begins_jointly() const noexcept { return begins_jointly_; }
  /// Notes that others took part in a task of this interval.
  void joined() noexcept { joined_ = true; }
  /// Returns the time that the interval before took.
  ticks last() const noexcept { return last_; }

  /// Notes a task that takes so many nanoseconds by a guess, which is always the same, and by what
  /// was learned. Returns the way to have it computed: it is passed on if there is much more in
  /// this interval than was to be expected.
  way submits(float guess, float expected) noexcept {
    work_ += (expected > long_one ? most : guess) + per_task;
    return work_ <= beyond * expected_ ? way_ : way::passing_on;
  }

 private:
  static constexpr float per_task = 300;      // nanoseconds added to each estimate
  static constexpr float most = 2'000'000;    // work that others are to begin with, at any price
  static constexpr float long_one = 150'000;  // a task that lanes are to share
  static constexpr float beyond = 1.5;        // times the expected work: the rhythm has changed
  static constexpr std::array all_ways{way::computing, way::jointly, way::passing_on};
  static constexpr std::size_t ways = all_ways.size();

  /// Times that intervals with about as much work took.
  class pace {
   public:
    way choose(float nanoseconds) noexcept;
    void note(way w, float multiple, bool by_itself) noexcept;

   private:
    float weighed(way w) const noexcept;
    way quickest() const noexcept;
    void turn_over() noexcept;
    bool is_tried_next(way w) noexcept;
    std::uint16_t rest() noexcept;

    /// By the way: multiples of their estimates; 0 if not known.
    std::array<float, ways> times_{};
    std::array<std::uint8_t, ways> every_{1, 1, 1},
        passed_{};            ///< trials of each that are left out
    std::uint16_t left_ = 0;  ///< intervals until another way is tried, or the trial ends
    std::uint16_t rest_ = 0;  ///< intervals between the last two trials
    std::uint8_t next_ = 0;   ///< the way to try next
    bool little_ = false;     ///< there is little work
    bool known_ = false;      ///< all have had their first trial
    bool tries_ = false;      ///< a trial is under way
    way tried_ = way::computing;
    std::uint8_t slower_ = 0;  ///< intervals of a trial in a row that took far longer
  };

  pace* pace_of(float nanoseconds) noexcept;

  std::array<pace, 24> paces_{};  ///< by the guessed work in an interval, two to each power of two
  float before_ = 0;              ///< nanoseconds of guessed work in the interval before
  float expected_ = 0;            ///< the most of them in the two before, as steps may alternate
  float work_ = 0;                ///< those of this interval, so far
  ticks began_ = 0, last_ = 0;
  way way_ = way::passing_on;  ///< in this interval
  bool begins_jointly_ = false;
  bool joined_ = false;
  int since_change_ = 0;  ///< intervals in a row that went the same way
};

}  // namespace troupe
