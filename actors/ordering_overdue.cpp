// SPDX-License-Identifier: MIT
#include <unordered_map>

#include "troupe/actors/ordering.hpp"

namespace troupe {

namespace {

constexpr ticks look_interval = 500'000;  // 0.2 to 0.25 milliseconds
constexpr int most_looked_at = 32;        // lanes in one look
constexpr ticks slack = 2'500'000;        // about a millisecond
constexpr double ticks_per_nanosecond = 3;
// Multiple of the estimate that a task may take beside `slack`.
constexpr double far_longer = 2;

}  // namespace

/// Notes which lanes are overdue, and takes back what they have not begun.
void ordering::look_for_overdue(decisions& out) {
  refresh();
  if (!stuck_.empty() && !room_.empty()) {
    const auto stuck = stuck_;
    stuck.for_each_not_in(room_, [&](int lane) { take_back_from(lane, out); });
  }
  if (time_ - last_look_ < look_interval) return;
  last_look_ = time_;
  for (int looked = 0; looked < most_looked_at; ++looked) {
    const int lane = busy_.first(next_look_);
    if (lane < 0) {
      next_look_ = 0;
      return;
    }
    next_look_ = lane + 1;
    lane_of(lane).overdue = is_overdue(lane);
    changed_.insert(lane);
    if (lane_of(lane).overdue) take_back_from(lane, out);
  }
}

bool ordering::is_overdue(int lane) const noexcept {
  const auto current = statuses_[static_cast<std::size_t>(lane)].read();
  if (!current.running || time_ < current.since + slack) return false;
  const auto taken = static_cast<double>(time_ - current.since - slack);
  const auto too_long = [&](const task& t) {
    return t.sequence == current.sequence &&
           taken > far_longer * ticks_per_nanosecond * static_cast<double>(t.estimate);
  };
  const auto& tasks = lanes_[static_cast<std::size_t>(lane)].tasks_in_flight;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i] && too_long(*tasks[i])) return true;
  }
  for (const auto& run : shared_) {
    if (too_long(*run.task)) return true;
  }
  return false;
}

/// Moves tasks that an overdue lane has not begun to lanes with room: those whose inputs are there,
/// and those that need nothing but tasks that were moved, too.
void ordering::take_back_from(int lane, decisions& out) {
  struct moved_sources {
    std::uint32_t count = 0;
    int lane = -1;
    bool several = false;
  };
  std::unordered_map<const task*, moved_sources> readers;
  const auto& tasks = lane_of(lane).tasks_in_flight;
  stuck_.erase(lane);
  for (auto number = tasks.first(); number != tasks.last(); ++number) {
    auto* t = tasks.at(number);
    if (!t || t->shared) continue;
    int to = -1;
    if (t->unfinished == 0) {
      refresh();
      to = any_lane_for(*t);
      if (to < 0) {
        stuck_.insert(lane);
        return;
      }
    } else if (const auto found = readers.find(t); found != readers.end()) {
      if (!found->second.several && found->second.count == t->unfinished) to = found->second.lane;
    }
    if (to < 0 || !tasks.take_back(number)) continue;
    move(*t, to, out);
    for (const auto* in = t->first_reader; in; in = in->next_reader) {
      auto& sources = readers[in->reader];
      sources.several |= sources.count++ > 0 && sources.lane != to;
      sources.lane = to;
    }
  }
}

/// Moves a task that was taken back to another lane.
void ordering::move(task& t, int lane, decisions& out) {
  lane_of(t.lane).tasks_in_flight.remove(t);
  lane_of(t.lane).loose -= t.loose;
  done_with(t.lane, t.estimate);
  t.lane = static_cast<std::int16_t>(lane);
  lane_of(lane).tasks_in_flight.add(t);
  lane_of(lane).loose += t.loose;
  take_on(lane, t.estimate);
  out.releases.push_back({&t, lane});
  for (auto* in = t.first_reader; in; in = in->next_reader) {
    auto& reader = *in->reader;
    if (reader.stage == task_stage::chained) {
      unchain(reader);
      reader.stage = task_stage::waiting;
      waiting_.insert(reader);
    }
    if (reader.stage != task_stage::waiting) continue;
    reader.source_lane = reader.released == 1 ? t.lane : several_lanes;
    reconsider(reader);
  }
}

/// Returns true if tasks may have to be taken back although nothing else happens.
bool ordering::should_look_again() {
  refresh();
  return !laden_.empty() && !idle_.empty();
}

}  // namespace troupe
