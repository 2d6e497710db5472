// SPDX-License-Identifier: MIT
#include "troupe/actors/client_rhythm.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace troupe {

namespace {

constexpr float per_task = 300;            // nanoseconds added to each estimate
constexpr float least = 1'000;             // work, in nanoseconds, of the first of the `paces_`
constexpr float most = 2'000'000;          // work that others are to begin with, whatever it costs
constexpr float long_one = 150'000;        // a task that lanes are to share
constexpr float beyond = 1.5;              // times the expected work: the rhythm has changed
constexpr int trial = 16;                  // intervals in a row that try one way
constexpr int settling = 6;                // the first of them, whose times say little
constexpr float worth_other_cores = 1.15;  // times as quick: passing on takes them, too
constexpr int trial_each = 400;            // intervals: 4 % of them try the way that was slower
constexpr int longest_rest = 6'400;        // and fewer of them while it is slower by far
constexpr float by_far = 1.3;              // times
constexpr int enough = 3;                  // intervals in a row that much slower end a trial
constexpr float brief = 20'000;            // nanoseconds: half of it is gone before others begin
constexpr int brief_rest = 1'600;          // intervals before passing on so little is tried at all

}  // namespace

void client_rhythm::begin(ticks time) noexcept {
  const bool as_expected = work_ <= beyond * expected_;
  auto* const ended = pace_of(work_);
  if (ended && as_expected && since_change_ > settling)
    ended->note(computes_, static_cast<float>(seconds_between(began_, time)) * 1e9F / work_);
  expected_ = std::max(work_, std::exchange(before_, work_));
  work_ = 0;
  last_ = time - began_;
  began_ = time;
  auto* const begun = pace_of(expected_);
  const bool next = begun && begun->choose(expected_ < brief);
  since_change_ = next != computes_ ? 0 : std::min(since_change_ + 1, trial);
  computes_ = next;
}

bool client_rhythm::submits(float guess, float expected) noexcept {
  work_ += (expected > long_one ? most : guess) + per_task;
  return computes_ && work_ <= beyond * expected_;
}

client_rhythm::pace* client_rhythm::pace_of(float nanoseconds) noexcept {
  if (!(nanoseconds >= least && nanoseconds <= most)) return nullptr;
  // Two to each power of two: its exponent and the first bit behind it.
  const auto number = (std::bit_cast<std::uint32_t>(nanoseconds / least) >> 22) - 2 * 127;
  return &paces_[std::min<std::size_t>(number, paces_.size() - 1)];
}

/// Returns the way to take next, with little work or not.
bool client_rhythm::pace::choose(bool little) noexcept {
  if (rest == 0) {
    rest = little ? brief_rest : trial_each;
    turn = little ? 2 * trial : 0;
  }
  const float other = worth_other_cores * passing_on;
  if (++turn >= 2 * trial + rest) {
    const bool clear = passing_on > 0 && (computing > by_far * other || by_far * computing < other);
    rest = static_cast<std::uint16_t>(clear ? std::min(2 * rest, longest_rest) : trial_each);
    turn = 2 * trial;
  }
  if (turn < 2 * trial) return turn < trial;
  const bool quicker = (little && passing_on == 0) || computing <= other;
  return quicker != (turn >= trial + rest);
}

/// Notes a time. One that was very long counts less: mostly the thread had to wait for its core. A
/// trial ends once it is clear.
void client_rhythm::pace::note(bool computed, float multiple) noexcept {
  auto& known = computed ? computing : passing_on;
  if (known == 0) known = multiple;
  else known += (std::min(multiple, 2 * known) - known) / 4;
  const float time = computed ? multiple : worth_other_cores * multiple;
  const float other = computed ? worth_other_cores * passing_on : computing;
  slower = other > 0 && time > by_far * other ? slower + 1 : 0;
  if (slower < enough) return;
  if (turn < 2 * trial) turn = 2 * trial;
  else if (turn >= trial + rest) turn = static_cast<std::uint16_t>(2 * trial + rest);
}

}  // namespace troupe
