// SPDX-License-Identifier: MIT
#include "troupe/actors/joint_runs.hpp"

#include <algorithm>
#include <new>

namespace troupe {

namespace {

constexpr float worth_joining = 4'000;  // nanoseconds by estimate
// Time for which a thread that looks for work goes on looking, at least: 30 to 50 microseconds.
constexpr ticks looks_on = 100'000;
constexpr int most_alone = 512;

}  // namespace

bool joint_runs::run(task& t, driver& where, task_event& event) noexcept {
  if (t.estimate < worth_joining || !t.kernel || !t.kernel->chunks || where.lanes() == 1)
    return false;
  reference<shared_run> run;
  try {
    run = reference<shared_run>(new shared_run(t, where, where.lanes()));
  } catch (const std::bad_alloc&) { return false; }
  run->claim();
  run->start();
  const auto others = std::min<std::int64_t>(run->chunks(), where.lanes()) - 1;
  const bool offered = others > 0 && offer_.put(*run, where, static_cast<int>(others));
  std::int64_t chunks = 0;
  const bool settled = run->join(0, true, chunks, event.ended);
  const bool joined = offered && offer_.take_back();
  if (!settled) {
    spin::until([&] { return !run->ending(); });
    event.ended = now();
  }
  if (offered) note(joined, event.started, event.ended);
  if (joined || chunks > 0)
    event.share = static_cast<float>(chunks) / static_cast<float>(run->chunks());
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
  const auto place = offer_.join(on);
  if (!place.run) return std::nullopt;
  const auto since = now();
  std::int64_t chunks = 0;
  ticks until = 0;
  place.run->join(place.number, false, chunks, until);
  if (chunks == 0) return std::nullopt;
  auto event = place.run->description();
  event.started = since;
  event.ended = until;
  event.share = static_cast<float>(chunks) / static_cast<float>(place.run->chunks());
  return event;
}

}  // namespace troupe
