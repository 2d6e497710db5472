// SPDX-License-Identifier: MIT
#include "troupe/actors/ordering.hpp"

#include <utility>

#include "troupe/tasks/binding.hpp"

namespace troupe {

namespace {

bool works_on_streams(const std::vector<ordering::place>& places) noexcept {
  return places.size() == 1 && places[0].device && !places[0].device->id().traits().synchronous;
}

/// Returns at most `room` bytes, of each device's limit an eighth.
std::size_t within_limits(std::size_t room, const std::vector<ordering::place>& places) noexcept {
  for (const auto& p : places) {
    if (p.credit) room = std::min(room, p.credit->limit() / 8);
  }
  return room;
}

}  // namespace

void decisions::clear() {
  releases.clear();
  helps.clear();
  watches.clear();
  wants.clear();
  ended.clear();
  unneeded.clear();
  others_look = lanes_look = false;
}

ordering::ordering(int home, int lanes, std::vector<place> devices,
                   std::shared_ptr<program_order> everywhere, std::span<const lane_status> statuses,
                   std::size_t room)
    : home_(home),
      room_for_others_(within_limits(room, devices)),
      places_(std::move(devices)),
      lanes_(static_cast<std::size_t>(lanes)),
      on_stream_(works_on_streams(places_)),
      loads_(lanes_.size()),
      little_(lanes_.size()),
      room_(lanes_.size()),
      idle_(lanes_.size()),
      statuses_(statuses),
      everywhere_(everywhere ? std::move(everywhere)
                             : std::make_shared<program_order>(static_cast<std::size_t>(home) + 1)),
      search_(home) {
  everywhere_->lanes += lanes;
  for (int i = 0; i < lanes; ++i) note_load(i);
}

ordering::~ordering() {
  decisions unheard;
  cancel(unheard);
  while (const task_ptr gone{unreported_.pop_front()}) {}
  everywhere_->lanes -= static_cast<int>(lanes_.size());
  everywhere_->starving -= starves_;
}

void ordering::add(task_ptr owned) {
  auto& t = *owned.release();
  ++unended_;
  ++arrived_;
  waiting_.push_back(t);
  for (auto& in : t.inputs) {
    if (!in.source) continue;
    if (in.source->pending()) connect(in, t);
    else if (in.source->failed()) t.input_failed = true;
  }
  reconsider(t);
}

/// Makes an input wait for the task that computes it.
void ordering::connect(operand& in, task& t) {
  auto& v = *in.source;
  in.reader = &t;
  in.next_reader = nullptr;
  ++t.unfinished;
  const auto append = [&](operand*& first, operand*& last) {
    (last ? last->next_reader : first) = &in;
    last = &in;
  };
  if (v.home != home_) {
    const auto [at, is_new] = awaited_.try_emplace(&v);
    auto& all = at->second;
    if (is_new) unwatched_.push_back(in.source);
    else if (!all.asked_for) news_.push_back({v.sequence, happening::use});
    in.asked_for = all.asked_for;
    return append(all.readers, all.last_reader);
  }
  auto& p = *v.producer;
  note_use(p);
  append(p.first_reader, p.last_reader);
  if (p.stage == task_stage::in_flight) note_released(t, p.lane);
}

/// Makes a task that is about to end wait for no input any longer.
void ordering::disconnect(task& t) {
  for (auto& in : t.inputs) {
    if (!std::exchange(in.reader, nullptr)) continue;
    const auto remove = [&](operand*& first, operand*& last) {
      operand* before = nullptr;
      for (auto* one = first; one != &in; one = one->next_reader) before = one;
      (before ? before->next_reader : first) = in.next_reader;
      if (last == &in) last = before;
    };
    const auto& v = *in.source;
    if (v.home != home_) {
      auto& all = awaited_.at(&v);
      remove(all.readers, all.last_reader);
    } else {
      remove(v.producer->first_reader, v.producer->last_reader);
    }
    --t.unfinished;
  }
}

void ordering::note_released(task& reader, int lane) {
  ++reader.released;
  const auto l = static_cast<std::int16_t>(lane);
  reader.source_lane = reader.source_lane == no_lane || reader.source_lane == l ? l : several_lanes;
}

/// Moves a waiting or chained task on if it is free to go.
void ordering::reconsider(task& t) {
  if (t.unfinished == 0) {
    if (t.stage == task_stage::chained) unchain(t);
    else waiting_.remove(t);
    note_there(t);
    queue(t);
  } else if (t.stage == task_stage::waiting && t.released == t.unfinished && t.source_lane >= 0 &&
             (t.lane == no_lane || t.lane == t.source_lane)) {
    waiting_.remove(t);
    chain(t);
  }
}

void ordering::chain(task& t) {
  t.stage = task_stage::chained;
  auto& tasks = lane_of(t.source_lane).chained;
  ++chained_;
  tasks.insert_by_priority(t);
  if (tasks.front() == &t) note_turn(t.source_lane);
}

void ordering::unchain(task& t) {
  auto& tasks = lane_of(t.source_lane).chained;
  const bool first = tasks.front() == &t;
  --chained_;
  tasks.remove(t);
  if (first) note_turn(t.source_lane);
}

void ordering::queue(task& t) {
  if (t.input_failed) {
    t.stage = task_stage::doomed;
    return doomed_.push_back(t);
  }
  t.stage = task_stage::ready;
  if (t.lane < 0) return ready_.push(t);
  lane_of(t.lane).ready.push(t);
  note_turn(t.lane);
}

/// Ends tasks that cannot run, in any order: each says itself which of its inputs failed.
void ordering::fail_doomed(decisions& out) {
  while (auto* t = doomed_.pop_front()) {
    fails_from_the_start(*t);
    stop_hoarding(*t);
    give_back_credit(*t);
    end(task_ptr(t), out);
  }
}

/// Takes a task, ready or early, from the front of its list.
void ordering::take_out(task& t) {
  if (t.stage == task_stage::early) {
    early_.erase(t);
  } else if (t.lane < 0) {
    ready_.pop_front();
  } else {
    lane_of(t.lane).ready.pop_front();
    note_turn(t.lane);
  }
  t.stage = task_stage::ready;
}

int ordering::lane_at_work_on(const value& v) const noexcept {
  if (v.home != home_ || !v.pending()) return no_lane;
  return v.producer->stage == task_stage::in_flight ? v.producer->lane : no_lane;
}

void ordering::finished(task_ptr owned, decisions& out) {
  auto& t = *owned;
  --in_flight_;
  lane_of(t.lane).tasks_in_flight.remove(t);
  if (t.shared) end_shared(t);
  else done_with(t.lane, t.estimate);
  give_back_credit(t);
  end(std::move(owned), out);
}

void ordering::done_with(int lane, double nanoseconds) {
  auto& l = lane_of(lane);
  l.overdue = false;
  --l.tasks;
  l.ahead = l.tasks == 0 ? 0 : std::max(0.0, l.ahead - nanoseconds);
  note_load(lane);
}

/// Tells the readers of an ended task; the task is reported once nothing refers to it.
void ordering::end(task_ptr owned, decisions& out) {
  auto& t = *owned;
  t.stage = task_stage::ended;
  note_there(t);
  note_use(t);
  --unended_;
  if (t.ran_ahead) {
    ahead_ -= t.output_bytes;
    hoard(t.output_bytes, t.first_reader);
  }
  for (auto* in = std::exchange(t.first_reader, nullptr); in;) {
    auto& reader = *std::exchange(in->reader, nullptr);
    in = in->next_reader;
    reader.input_failed |= t.failed;
    --reader.unfinished;
    if (reader.released > 0 && --reader.released == 0 && reader.stage == task_stage::waiting)
      reader.source_lane = no_lane;
    if (reader.stage == task_stage::waiting || reader.stage == task_stage::chained)
      reconsider(reader);
    else if (reader.stage == task_stage::ended && reader.unfinished == 0) report(reader, out);
  }
  // Operands of a task that its lane has cancelled before its inputs were there are still links in
  // the lists of readers: it must live until then.
  if (t.unfinished == 0) out.ended.push_back(std::move(owned));
  else unreported_.push_back(*owned.release());
}

/// Reports a task that ended before the last task that it reads from.
void ordering::report(task& t, decisions& out) {
  unreported_.remove(t);
  out.ended.emplace_back(&t);
}

void ordering::resolved(const value& v, decisions& out) {
  const auto all = awaited_.find(&v);
  if (all == awaited_.end()) return;
  auto* in = all->second.readers;
  awaited_.erase(all);
  if (auto* unwanted = unwanted_.find(v.sequence); unwanted == &v) unwanted_.erase(*unwanted);
  if (!onlookers_.empty()) {
    news_.push_back({v.sequence, happening::there});
    news_.push_back({v.sequence, happening::use});
  }
  const bool failed = v.failed();
  const int behind = v.pending() ? place_of(v.device).lane_behind : no_lane;
  while (in) {
    auto& reader = *std::exchange(in->reader, nullptr);
    in = in->next_reader;
    reader.input_failed |= failed;
    --reader.unfinished;
    if (reader.stage == task_stage::ended) {
      if (reader.unfinished == 0) report(reader, out);
    } else {
      if (behind != no_lane) reader.lane = static_cast<std::int16_t>(behind);
      reconsider(reader);
    }
  }
}

std::size_t ordering::held() const noexcept {
  auto n = waiting_.size() + ready_.size() + doomed_.size() + early_.size() + starved_.size();
  for (const auto& l : lanes_) n += l.chained.size() + l.ready.size();
  return n;
}

void ordering::cancel(decisions& out) {
  std::vector<task_ptr> cancelled;
  for (int lane = 0; lane < static_cast<int>(lanes_.size()) && !on_stream_; ++lane)
    take_back(lane, out);
  const auto take_all = [&](auto& tasks) {
    while (auto* t = tasks.pop_front()) cancelled.emplace_back(t);
  };
  take_all(waiting_);
  take_all(ready_);
  take_all(doomed_);
  for (const auto& one : std::exchange(early_, {})) cancelled.emplace_back(one.second);
  for (auto& l : lanes_) take_all(l.chained), take_all(l.ready);
  chained_ = 0;
  for (auto* t : std::exchange(starved_, {})) cancelled.emplace_back(t);
  for (auto& t : cancelled) {
    t->fail("cancelled", failure::reason::cancelled);
    stop_hoarding(*t);
    give_back_credit(*t);
    // Keeps readers among the cancelled in place until their own turn below.
    t->stage = task_stage::in_flight;
  }
  for (auto& t : cancelled) end(std::move(t), out);
  out.lanes_look = in_flight_ > 0;
}

const ordering::place& ordering::place_of(device d) const noexcept {
  for (const auto& p : places_) {
    if (p.device->id() == d) return p;
  }
  return places_.front();
}

}  // namespace troupe
