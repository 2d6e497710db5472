// SPDX-License-Identifier: MIT
#include "troupe/actors/client_rhythm.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace troupe {

namespace {

constexpr float least = 1'000;  // work, in nanoseconds, of the first of the `paces_`
// Intervals in a row that try one way, and brief ones at first, until others are awake.
constexpr int trial = 16, brief_trial = 48;
constexpr int settling = 6;  // the first of them, whose times say little
// Times that count as many times as long, by the way: others' cores are needed elsewhere, too.
constexpr float weights[] = {1, 1.05F, 1.15F};
// Intervals between trials: at first few, as threads that could take part are not all awake, then
// so many that 4 % of all try another way.
constexpr std::uint16_t first_rest = 50, longest_rest = 400;
constexpr int most_left_out = 16;  // trials in a row of a way that is slower by far
constexpr float by_far = 1.3;      // times
constexpr int enough = 3;          // intervals in a row that much slower end a trial
constexpr float brief = 20'000;    // nanoseconds: half of it is gone before others begin
// Intervals before others are let take part in so little, and before it is passed on, at all.
constexpr int brief_start = 200, brief_rest = 1'600;

}  // namespace

void client_rhythm::begin(ticks time) noexcept {
  const bool as_expected = work_ <= beyond * expected_;
  auto* const ended = pace_of(work_);
  if (ended && as_expected && since_change_ > settling)
    ended->note(way_, static_cast<float>(seconds_between(began_, time)) * 1e9F / work_,
                way_ == way::jointly && !joined_);
  joined_ = false;
  expected_ = std::max(work_, std::exchange(before_, work_));
  work_ = 0;
  last_ = time - began_;
  began_ = time;
  auto* const begun = pace_of(expected_);
  const auto next = begun ? begun->choose(expected_) : way::passing_on;
  const bool changes = (next == way::passing_on) == computes();
  since_change_ = changes ? 0 : std::min(since_change_ + 1, trial);
  begins_jointly_ = next == way::jointly && way_ != way::jointly;
  way_ = next;
}

client_rhythm::pace* client_rhythm::pace_of(float nanoseconds) noexcept {
  if (!(nanoseconds >= least && nanoseconds <= most)) return nullptr;
  // Two to each power of two: its exponent and the first bit behind it.
  const auto number = (std::bit_cast<std::uint32_t>(nanoseconds / least) >> 22) - 2 * 127;
  return &paces_[std::min<std::size_t>(number, paces_.size() - 1)];
}

/// Returns the time of a way as it is compared; one that is not known counts as quick.
float client_rhythm::pace::weighed(way w) const noexcept {
  const auto i = static_cast<std::size_t>(w);
  return weights[i] * times_[i];
}

client_rhythm::way client_rhythm::pace::quickest() const noexcept {
  auto best = way::computing;
  for (const auto one : all_ways) {
    if (weighed(one) < weighed(best) && (!little_ || weighed(one) > 0)) best = one;
  }
  return best;
}

/// Returns the way to take next with so much work. How much a guess is worth shows once it is
/// computed here: what the caches hold takes a tenth of the time.
client_rhythm::way client_rhythm::pace::choose(float nanoseconds) noexcept {
  const float multiple = times_[static_cast<std::size_t>(way::computing)];
  little_ = (multiple > 0 ? multiple * nanoseconds : nanoseconds) < brief;
  if (left_ == 0) turn_over();
  --left_;
  return tries_ ? tried_ : quickest();
}

/// Begins or ends a trial. At first each way has one, unless there is so little work that this
/// thread should compute it.
void client_rhythm::pace::turn_over() noexcept {
  slower_ = 0;
  if (little_ && !known_) {
    known_ = true;
    tries_ = false;
    next_ = static_cast<std::uint8_t>(way::jointly);
    left_ = brief_start;
    return;
  }
  if (known_ && tries_) {
    tries_ = false;
    left_ = little_ && times_[static_cast<std::size_t>(way::passing_on)] == 0 ? brief_rest : rest();
    return;
  }
  const auto one = static_cast<way>(next_);
  known_ = known_ || next_ + 1 == ways;
  next_ = (next_ + 1) % ways;
  tries_ = is_tried_next(one);
  tried_ = one;
  const bool first = times_[static_cast<std::size_t>(one)] == 0;
  left_ = !tries_ ? rest() : little_ && first ? brief_trial : trial;
}

/// Returns the number of intervals until the next trial: each time more.
std::uint16_t client_rhythm::pace::rest() noexcept {
  rest_ = std::clamp<std::uint16_t>(2 * rest_, first_rest, longest_rest);
  return rest_;
}

/// Returns true if it is time to try a way again: the rarer, the longer it has been slower by far.
bool client_rhythm::pace::is_tried_next(way w) noexcept {
  const auto i = static_cast<std::size_t>(w);
  if (times_[i] == 0) return true;
  if (w == quickest()) return false;
  if (weighed(w) < by_far * weighed(quickest())) {
    every_[i] = 1;
    return true;
  }
  if (++passed_[i] < every_[i]) return false;
  passed_[i] = 0;
  every_[i] = static_cast<std::uint8_t>(std::min(2 * every_[i], most_left_out));
  return true;
}

/// Notes a time. One that was very long counts less: mostly the thread had to wait for its core.
/// Outside trials each counts little, since who takes part has to be woken again now and then; the
/// less if the thread was by itself although others might have joined, and not at all in trials. A
/// trial ends once it is clear.
void client_rhythm::pace::note(way w, float multiple, bool by_itself) noexcept {
  if (tries_ && by_itself) return;
  auto& known = times_[static_cast<std::size_t>(w)];
  if (known == 0) known = multiple;
  else known += (std::min(multiple, 2 * known) - known) / (tries_ ? 4.F : by_itself ? 128.F : 16.F);
  if (!tries_ || w != tried_) return;
  const float time = weights[static_cast<std::size_t>(w)] * multiple;
  const bool far = std::ranges::any_of(all_ways, [&](way other) {
    return other != w && weighed(other) > 0 && time > by_far * weighed(other);
  });
  slower_ = far ? slower_ + 1 : 0;
  if (slower_ >= enough) left_ = 0;
}

}  // namespace troupe
