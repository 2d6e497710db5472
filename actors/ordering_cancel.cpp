// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "troupe/actors/ordering.hpp"

namespace troupe {

namespace {

/// Returns the pending values that a task reads, each once.
std::vector<value_ref> pending_inputs(const task& t) {
  std::vector<value_ref> all;
  for (const auto& in : t.inputs) {
    if (in.source && in.source->pending() && std::ranges::find(all, in.source) == all.end())
      all.push_back(in.source);
  }
  return all;
}

}  // namespace

void ordering::cancel(const value& v, bool only_if_unneeded, const reference_count& elsewhere,
                      decisions& out) {
  if (v.home != home_ || !v.pending()) return;
  auto& first = *v.producer;
  const auto unneeded = [&](const value_ref& result) {
    return result->references() <= 1 + elsewhere(*result);
  };
  std::vector<task*> left{&first};
  while (!left.empty()) {
    auto& t = *left.back();
    left.pop_back();
    const bool anyhow = &t == &first && !only_if_unneeded;
    if (t.stage == task_stage::ended) continue;
    // Its lane may be at work on something else for long.
    if (t.stage == task_stage::in_flight && !on_stream_) take_back(t.lane, out);
    if (t.stage == task_stage::in_flight) {
      ask_lane_to_cancel(t, anyhow ? cancellation::always : cancellation::if_unneeded, out);
      continue;
    }
    if (!anyhow && !std::ranges::all_of(t.outputs, unneeded)) continue;
    auto inputs = pending_inputs(t);
    give_up(t, "cancelled", failure::reason::cancelled, out);
    for (auto& in : inputs) {
      if (in->home != home_) {
        if (is_awaited(*in)) continue;
        if (std::ranges::find(out.unneeded, in) == out.unneeded.end())
          out.unneeded.push_back(std::move(in));
        continue;
      }
      auto& producer = *in->producer;
      // Its lane has the list of its outputs: two references are this one and the lane's.
      if (producer.stage != task_stage::in_flight || in->references() <= 2 + elsewhere(*in))
        left.push_back(&producer);
    }
  }
}

/// Returns true if a task here waits for a value of another ordering.
bool ordering::is_awaited(const value& v) const noexcept {
  const auto all = awaited_.find(&v);
  if (all == awaited_.end()) return false;
  const auto* in = all->second.readers;
  while (in && in->reader->stage == task_stage::ended) in = in->next_reader;
  return in;
}

void ordering::give_up(task& t, std::string_view text, failure::reason why, decisions& out) {
  take_from_lists(t);
  disconnect(t);
  t.fail(text, why);
  stop_hoarding(t);
  give_back_credit(t);
  end(task_ptr(&t), out);
}

void ordering::ask_lane_to_cancel(task& t, cancellation how, decisions& out) noexcept {
  if (t.cancel.load(std::memory_order_relaxed) < how) t.cancel.store(how);
  out.lanes_look = true;
}

/// Takes a task that was not released out of the list that holds it.
void ordering::take_from_lists(task& t) {
  switch (t.stage) {
    case task_stage::waiting: return waiting_.remove(t);
    case task_stage::chained: return unchain(t);
    case task_stage::early: return early_.erase(t);
    case task_stage::doomed: return doomed_.remove(t);
    default: break;
  }
  if (std::erase(starved_, &t) > 0) return;
  if (t.lane < 0) return ready_.remove(t);
  lane_of(t.lane).ready.remove(t);
  note_turn(t.lane);
}

}  // namespace troupe
