// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/actors/ordering.hpp"

namespace troupe {

namespace {

// Times are ticks; one to three of them make a nanosecond.
constexpr ticks look_interval = 1'500'000;
constexpr ticks slack = 2'500'000;
constexpr double most_ticks_per_nanosecond = 3;
// Multiple of its estimate that a task may take beside `slack`.
constexpr double far_longer = 2;

}  // namespace

/// Notes, now and then, which lanes are overdue, and takes back what they have not begun.
void ordering::look_for_overdue(decisions& out) {
  if (time_ - last_look_ < look_interval) return;
  last_look_ = time_;
  for (int lane = 0; lane < static_cast<int>(lanes_.size()); ++lane) {
    auto& l = lane_of(lane);
    if (l.tasks == 0) continue;
    const bool overdue = is_overdue(lane);
    std::vector<task*> back;
    if (overdue) back = take_back_from(lane);
    l.overdue = overdue;
    regroup(lane);
    send_elsewhere(back, out);
  }
}

/// Takes back what a lane has not begun: then it is as if that had not been sent.
void ordering::take_back(int lane, decisions& out) {
  const auto back = take_back_from(lane);
  regroup(lane);
  send_elsewhere(back, out);
}

/// Gives tasks that were taken back another lane, perhaps the same.
void ordering::send_elsewhere(std::span<task* const> back, decisions& out) {
  for (auto* t : back) {
    if (t->shared) move(*t, out);
    else reconsider(*t);
  }
}

bool ordering::is_overdue(int lane) const noexcept {
  const auto current = statuses_[static_cast<std::size_t>(lane)].read();
  if (!current.running || time_ < current.since + slack) return false;
  const auto taken = static_cast<double>(time_ - current.since - slack);
  const auto too_long = [&](const task& t) {
    return t.sequence == current.sequence &&
           taken > far_longer * most_ticks_per_nanosecond * static_cast<double>(t.estimate);
  };
  const auto& tasks = lanes_[static_cast<std::size_t>(lane)].tasks_in_flight;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i] && too_long(*tasks[i])) return true;
  }
  return std::ranges::any_of(shared_, [&](auto& run) { return too_long(*run.task); });
}

/// Takes the tasks that a lane has not begun and returns them in the order in which they were sent.
/// They wait again, except for shared ones that other lanes have begun.
std::vector<task*> ordering::take_back_from(int lane) {
  auto& l = lane_of(lane);
  std::vector<task*> back;
  // A lane takes what was sent first: from the last on, none of what is found here reads from what
  // the lane takes meanwhile, but for what it has begun.
  for (auto one = l.sent.rbegin(); one != l.sent.rend(); ++one) {
    const auto tasks = (*one)->take();
    if (!tasks) continue;
    const auto first = static_cast<std::ptrdiff_t>(back.size());
    while (auto t = tasks->pop_front()) back.push_back(t.release());
    std::reverse(back.begin() + first, back.end());
  }
  for (auto* t : back) {
    if (t->shared && !t->shared->claim()) continue;
    l.tasks_in_flight.remove_last(*t);
    --in_flight_;
    if (t->shared) {
      t->shared->close();
      end_shared(*t);
    } else {
      done_with(lane, t->estimate);
    }
    ask_again(*t);
    t->lane = no_lane;
    t->stage = task_stage::waiting;
    waiting_.insert_early(*t);
    for (auto* in = t->first_reader; in; in = in->next_reader) {
      auto& reader = *in->reader;
      await_again(reader);
      if (--reader.released == 0) reader.source_lane = no_lane;
    }
  }
  std::ranges::reverse(back);
  return back;
}

/// Makes a chained task wait again.
void ordering::await_again(task& t) {
  if (t.stage != task_stage::chained) return;
  unchain(t);
  t.stage = task_stage::waiting;
  waiting_.insert_early(t);
}

/// Sends a shared task that was taken back, and that other lanes have begun, to another lane: it
/// ends when its own lane has taken part.
void ordering::move(task& t, decisions& out) {
  const auto run = std::ranges::find(shared_, &t, &shared_task::task);
  const int from = t.lane, to = least_loaded();
  lane_of(from).tasks_in_flight.remove_last(t);
  run->lanes.erase(from);
  done_with(from, run->own);
  if (run->lanes.contains(to)) done_with(to, run->help);
  run->lanes.insert(to);
  take_on(to, run->own);
  t.lane = static_cast<std::int16_t>(to);
  lane_of(to).tasks_in_flight.add(t);
  out.releases.push_back({&t, to});
  for (auto* in = t.first_reader; in; in = in->next_reader) {
    await_again(*in->reader);
    in->reader->source_lane = several_lanes;
  }
}

}  // namespace troupe
