// SPDX-License-Identifier: MIT
#include "troupe/actors/engine_state.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "troupe/actors/actor_scheduler.hpp"
#include "troupe/actors/runtime.hpp"
#include "troupe/tasks/bookkeeping.hpp"

namespace troupe {

namespace {

// Time without work after which a client that waits for room sleeps: 50 to 80 microseconds.
constexpr ticks worth_looking = 200'000;

// Nanoseconds of work in the inbox for which a thread is woken, and what each task adds to its
// estimate.
constexpr std::uint32_t worth_waking = 20'000, per_task = 200;

bool works_on_streams(const driver& one) { return !one.id().traits().synchronous; }

/// Counts the lanes of all devices, one copy lane to each device, and two copy lanes of each GPU:
/// from it to the host, and behind its work.
std::size_t count_lanes(const drivers& devices) {
  auto lanes = devices.size();
  for (const auto& one : devices)
    lanes += static_cast<std::size_t>(one->lanes()) + (works_on_streams(*one) ? 2 : 0);
  return lanes;
}

/// Returns the copy lane for a ready value: copy lanes to each device come first, then those from
/// each GPU to the host.
std::size_t copy_lane(const drivers& devices, device from, std::size_t to) {
  if (from.traits().synchronous || works_on_streams(*devices[to])) return to;
  auto lane = devices.size();
  for (const auto& one : devices) {
    if (one->id() == from) break;
    lane += works_on_streams(*one);
  }
  return lane;
}

}  // namespace

engine_state::engine_state(drivers d, memory_bound limit, std::uint64_t most_pending,
                           std::size_t trace)
    : devices(std::move(d)),
      order(std::make_shared<program_order>(home_of_timed() + 1)),
      statuses(count_lanes(devices)),
      callers(statuses.size(), trace),
      window(most_pending),
      trace_capacity(trace) {
  bookkeeping::prepare();
  for (const auto& one : devices) {
    ids_.push_back(one->id());
    credits.push_back(std::make_unique<memory_credit>(
        one->memory(),
        memory_bound(one->memory_limit() > 0 ? one->memory_limit() : limit.bytes, limit.strict)));
  }
}

/// Gives a task, and its outputs, its place in the program.
void engine_state::number(task& t, std::uint64_t sequence, ticks time) noexcept {
  t.sequence = sequence;
  t.submitted = time;
  for (auto& out : t.outputs) {
    out->sequence = sequence;
    out->home = t.home;
    out->estimate = t.estimate;
  }
}

bool engine_state::submit(task_ptr t, bool may_wait) {
  const auto device = number_of(t->device);
  t->home = static_cast<std::int16_t>(device);
  if (t->op->transfer) {
    t->lane = static_cast<std::int16_t>(copy_lane(devices, t->inputs[0].source->device, device));
    t->home = static_cast<std::int16_t>(home_of_copies());
  } else if (t->op->timed) {
    t->home = static_cast<std::int16_t>(home_of_timed());
  }
  const bool full = may_wait && scheduler && window.full();
  if (full) [[unlikely]]
    scheduler->take_part([this] { return window.has_room(); }, worth_looking);
  number(*t, window.enter(may_wait, full), now());
  for (auto& in : t->inputs) {
    if (in.source && in.source->home != t->home && in.source->pending())
      in.source->note_reader_elsewhere();
  }
  const auto estimate = t->estimate;
  const bool first = submitted.put(std::move(t));
  return scheduler ? somebody_should_come(first, estimate) : first;
}

engine_state::ran_at_once engine_state::run_at_once(task_ptr& t, float longest, ticks time,
                                                    bool jointly) {
  if (t->estimate > longest || !callers.takes(*t)) return {};
  const auto device = number_of(t->device);
  auto& credit = *credits[device];
  const auto bytes = t->output_bytes;
  const bool granted = bytes > 0 && !credit.has_plenty_for(bytes);
  if (granted && !credit.take(bytes)) return {};
  bool pending = t->sequence > 0;
  if (!pending) {
    // Nobody can wait for what ends before `submit` does. It is counted only to be seen.
    pending = t->estimate > callers_lane::seen_running;
    number(*t, pending ? window.enter(false) : window.number(), time);
  }
  t->became_ready = time;
  const auto ran = callers.run(*t, *devices[device], jointly);
  if (granted) credit.give_back(bytes);
  if (jointly && callers.wants_thread()) scheduler->wake_helper(*devices[device]);
  if (!ran.failed && ran.share == 1 && learned_costs::learns(*t))
    costs.note(*t, seconds_between(ran.started, ran.ended) * 1e9);
  auto why = std::move(t->origin);
  t = nullptr;
  if (pending) {
    window.leave(1);
    gate.look_again();
  }
  return {true, std::move(why), ran.share < 1};
}

/// Returns true if a thread should be woken for the tasks in the inbox. For little work it is not
/// if the control thread looks up soon by itself: a client that waits has done it before that.
bool engine_state::somebody_should_come(bool first, float nanoseconds) noexcept {
  if (first ? scheduler->anybody_looks() : left.load(std::memory_order_relaxed) == 0) return false;
  const auto more = static_cast<std::uint32_t>(std::min<float>(nanoseconds, worth_waking));
  const auto before = left.fetch_add(more + per_task, std::memory_order_relaxed);
  return before + more >= worth_waking || !scheduler->looks_up_soon();
}

void engine_state::bring(const driver& to, std::size_t bytes, const std::function<void()>& take,
                         bool may_wait) {
  auto& credit = *credits[number_of(to.id())];
  gate.enter(credit, bytes, window, may_wait);
  struct on_leaving {
    memory_credit& from;
    std::size_t bytes;
    ~on_leaving() { from.give_back(bytes); }
  } const given_back{credit, bytes};
  take();
}

std::vector<actor_state> engine_state::actors() const {
  std::vector<actor_state> all;
  for (const auto kind : {actor_counters::kind::frontend, actor_counters::kind::dependency,
                          actor_counters::kind::lane}) {
    for (const auto& one : counters) {
      if (one->role != kind) continue;
      const auto taken = one->all_taken();  // read first, so that it cannot exceed the sent count
      all.push_back({one->name, taken, one->all_sent() - taken});
    }
  }
  return all;
}

std::uint64_t engine_state::live_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const auto& one : devices) bytes += one->memory()->live();
  return bytes;
}

}  // namespace troupe
