// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/actors/ordering.hpp"

namespace troupe {

namespace {

constexpr double fills_caches = 8e6;  // bytes
// Nanoseconds of estimated work for which one more lane is asked to help.
constexpr double worth_a_lane = 10'000;

/// Returns true if lanes should compute such tasks together, one after the other: side by side,
/// each task would push the others' data out of the cache that the lanes share.
bool better_together(const task& t) noexcept {
  return t.cost.bytes >= fills_caches && t.cost.flops <= t.cost.bytes;
}

}  // namespace

/// Sends a large task to a lane such that other lanes may help.
void ordering::share(task& t, int lane, decisions& out) {
  const auto count = static_cast<int>(lanes_.size());
  t.shared = reference<shared_run>(new shared_run(t, *places_[0].device, count));
  const bool together = better_together(t);
  const auto helpers = static_cast<int>(std::min(count - 1.0, t.estimate / worth_a_lane));
  const auto part = t.estimate / (together ? 1 + helpers : 2);
  shared_.push_back({&t, lane_set(lanes_.size()), helpers, together ? part : t.estimate, part});
  auto& run = shared_.back();
  run.lanes.insert(lane);
  take_on(lane, run.own);
  if (together) ask_to_help(run, true, out);
}

/// Asks lanes to help, those with room or `all`. Idle lanes come first, since they can pass the
/// request on at once.
void ordering::ask_to_help(shared_task& run, bool all, decisions& out) {
  std::vector<int> asked;
  const auto ask = [&](int lane) {
    if (run.helpers_to_come == 0) return;
    --run.helpers_to_come;
    asked.push_back(lane);
  };
  idle_.for_each_not_in(run.lanes, ask);
  if (all) {
    for (int lane = 0; lane < static_cast<int>(lanes_.size()); ++lane) {
      if (!idle_.contains(lane) && !run.lanes.contains(lane)) ask(lane);
    }
  } else {
    room_.for_each_not_in(run.lanes, [&](int lane) {
      if (!idle_.contains(lane)) ask(lane);
    });
  }
  if (asked.empty()) return;
  for (const int lane : asked) {
    run.lanes.insert(lane);
    take_on(lane, run.help);
  }
  out.helps.push_back({run.task->shared, std::move(asked)});
}

/// Gives lanes with room a share of large tasks in flight.
void ordering::offer_help(decisions& out) {
  if (shared_.empty() || (!ready_.empty() && starved_.size() < starved_search)) return;
  for (auto& run : shared_) {
    if (run.missed_helpers && !run.task->shared->opened()) continue;
    if (run.helpers_to_come > 0) ask_to_help(run, false, out);
  }
}

void ordering::came_early(const shared_run& early, int lane) {
  const auto run = std::ranges::find_if(
      shared_, [&](const auto& one) { return one.task->shared.get() == &early; });
  // It may have ended since, or have been sent to this lane.
  if (run == shared_.end() || run->task->lane == lane || !run->lanes.contains(lane)) return;
  run->lanes.erase(lane);
  done_with(lane, run->help);
  ++run->helpers_to_come;
  run->missed_helpers = true;
}

void ordering::end_shared(task& t) {
  const auto run =
      std::find_if(shared_.begin(), shared_.end(), [&](auto& s) { return s.task == &t; });
  run->lanes.take_each([&](int lane) { done_with(lane, lane == t.lane ? run->own : run->help); });
  shared_.erase(run);
  t.shared = nullptr;
}

}  // namespace troupe
