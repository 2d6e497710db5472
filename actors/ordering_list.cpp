// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "troupe/actors/ordering.hpp"

namespace troupe {

namespace {

using status = task_state::status;

/// Describes a task, except for the values, which its lane may release.
task_state describe(const task& t, status state, int lane) {
  task_state s;
  s.name = t.op->name;
  s.sequence = t.sequence;
  s.device = t.device;
  s.lane = lane;
  s.call_site = t.call_site;
  s.submitted = t.submitted;
  s.priority = t.priority;
  s.estimate = t.estimate;
  s.state = state;
  return s;
}

/// Tasks of a listing, and the dependencies between them.
class listing {
 public:
  explicit listing(std::vector<task_state>& out) : out_(out) {}

  void hold(const task& t, status state) {
    auto& s = add(t, state, -1);
    for (const auto& v : t.outputs) s.outputs.push_back(v->type());
  }
  void in_flight(const tasks_in_flight& tasks, std::size_t i, status state, int lane) {
    add(*tasks[i], state, lane).outputs = tasks.outputs_of(i);
  }
  /// Notes for all readers that they wait for a task.
  void await(std::uint64_t sequence, const operand* readers) {
    for (const auto* in = readers; in; in = in->next_reader) {
      if (const auto found = places_.find(in->reader); found != places_.end())
        out_[found->second].waits_for.push_back(sequence);
    }
  }
  void connect() {
    for (const auto& [t, i] : places_) await(t->sequence, t->first_reader);
  }
  void put_in_order() {
    for (const auto& [t, i] : places_) {
      auto& all = out_[i].waits_for;
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
    }
  }

 private:
  task_state& add(const task& t, status state, int lane) {
    places_.emplace(&t, out_.size());
    return out_.emplace_back(describe(t, state, lane));
  }

  std::vector<task_state>& out_;
  std::unordered_map<const task*, std::size_t> places_;
};

bool runs(std::span<const lane_status> statuses, std::uint64_t sequence) {
  return std::any_of(statuses.begin(), statuses.end(), [&](const lane_status& one) {
    const auto sign = one.read();
    return sign.running && sign.sequence == sequence;
  });
}

/// Lists the tasks of a lane. A lane runs in order: tasks before the one that it began last have
/// ended, even if that was not reported yet.
void list_lane(listing& all, const tasks_in_flight& tasks, int lane,
               std::span<const lane_status> statuses, const lane_status* own) {
  std::size_t ended = 0;
  if (own) {
    const auto sign = own->read();
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i] && tasks[i]->sequence == sign.sequence) ended = i + !sign.running;
    }
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!tasks[i]) continue;
    if (runs(statuses, tasks[i]->sequence)) all.in_flight(tasks, i, status::running, lane);
    else if (i >= ended) all.in_flight(tasks, i, status::sent, lane);
  }
}

/// Lists the tasks on a stream: a device runs them in order.
void list_stream(listing& all, const tasks_in_flight& tasks, int lane) {
  auto state = status::running;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i]) all.in_flight(tasks, i, std::exchange(state, status::sent), lane);
  }
}

}  // namespace

void ordering::list(std::vector<task_state>& out, std::span<const lane_status> statuses,
                    int first_lane) const {
  listing all(out);
  for (const auto* t = waiting_.front(); t; t = t->next) all.hold(*t, status::waiting);
  for (const auto* t : ready_) all.hold(*t, status::ready);
  for (const auto& one : early_) all.hold(*one.second, status::early);
  for (const auto* t : starved_) all.hold(*t, status::no_memory);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto& l = lanes_[i];
    for (const auto* t = l.chained.front(); t; t = t->next) all.hold(*t, status::waiting);
    for (const auto* t : l.ready) all.hold(*t, status::ready);
    const int lane = first_lane + static_cast<int>(i);
    if (on_stream_) list_stream(all, l.tasks_in_flight, lane);
    else
      list_lane(all, l.tasks_in_flight, lane, statuses,
                i < statuses.size() ? &statuses[i] : nullptr);
  }
  all.connect();
  for (const auto& [v, one] : awaited_) {
    if (v->pending()) all.await(v->sequence, one.readers);
  }
  all.put_in_order();
}

}  // namespace troupe
