// SPDX-License-Identifier: MIT
#include "troupe/actors/joint_runs.hpp"

#include <algorithm>
#include <cstdint>

namespace troupe {

namespace {

constexpr float worth_joining = 3'000;  // nanoseconds by estimate
// Time for which a thread that looks for work goes on looking, at least: 30 to 50 microseconds.
constexpr ticks looks_on = 100'000;
constexpr int most_alone = 512;
constexpr std::int64_t most_threads = 64;

}  // namespace

bool joint_runs::run(task& t, driver& where, task_event& event) noexcept {
  if (t.estimate < worth_joining || !t.kernel || !t.kernel->chunks || where.lanes() == 1)
    return false;
  shared_run run(t, where, where.lanes());
  run.start();
  const auto others = std::min<std::int64_t>({run.chunks(), where.lanes(), most_threads}) - 1;
  const bool offered = others > 0 && offer_.put(run, where, static_cast<int>(others));
  const auto chunks = run.take_chunks(0);
  const bool joined = offered && offer_.take_back();
  event.ended = run.complete();
  if (offered) note(joined, event.started, event.ended);
  if (joined || chunks > 0)
    event.share = static_cast<float>(chunks) / static_cast<float>(run.chunks());
  return true;
}

/// Counts runs that nobody joined although they came so soon after each other that a thread, once
/// awake, would have stayed so.
void joint_runs::note(bool joined, ticks since, ticks until) noexcept {
  const bool soon = since - last_.exchange(until, std::memory_order_relaxed) < looks_on;
  if (joined) alone_before_.store(few_, std::memory_order_relaxed);
  if (joined || !soon) alone_.store(0, std::memory_order_relaxed);
  else alone_.fetch_add(1, std::memory_order_relaxed);
}

void joint_runs::expect_others(ticks time) noexcept {
  last_.store(time, std::memory_order_relaxed);
  alone_before_.store(few_, std::memory_order_relaxed);
  alone_.store(few_, std::memory_order_relaxed);
}

bool joint_runs::wants_thread() noexcept {
  const int before = alone_before_.load(std::memory_order_relaxed);
  if (alone_.load(std::memory_order_relaxed) < before) return false;
  // If that is no help, it is done less often.
  alone_.store(0, std::memory_order_relaxed);
  alone_before_.store(std::min(2 * before, most_alone), std::memory_order_relaxed);
  return true;
}

std::optional<task_event> joint_runs::join(const driver& on) noexcept {
  int lane = 0;
  auto* const run = offer_.join(on, lane);
  if (!run) return std::nullopt;
  const auto since = now();
  const auto chunks = run->take_chunks(lane);
  std::optional<task_event> event;
  if (chunks > 0) {
    event = run->description();
    event->started = since;
    event->ended = now();
    event->share = static_cast<float>(chunks) / static_cast<float>(run->chunks());
  }
  offer_.leave();
  return event;
}

}  // namespace troupe
