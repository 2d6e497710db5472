// SPDX-License-Identifier: MIT
#include "troupe/actors/ordering.hpp"

#include <utility>

namespace troupe {

namespace {

// Times are nanoseconds of estimated work.
constexpr double horizon = 400'000;  // work that a lane is given ahead
// Work that a GPU lane is given ahead: more, since the GPU does not report the end of each task.
constexpr double gpu_horizon = 2'000'000;
constexpr double worth_sharing = 40'000;
// Smallest output in bytes that counts as computed ahead.
constexpr std::size_t worth_holding_back = 1024;

bool works_on_streams(const std::vector<ordering::place>& places) noexcept {
  return places.size() == 1 && places[0].device && !places[0].device->id().traits().synchronous;
}

bool is_ready(const task& t) noexcept {
  return t.stage == task_stage::ready || t.stage == task_stage::early;
}

}  // namespace

void decisions::clear() {
  releases.clear();
  helps.clear();
  watches.clear();
  ended.clear();
  look_again = false;
  all_quiet = false;
}

ordering::ordering(int home, int lanes, std::vector<place> devices,
                   std::shared_ptr<in_flight_count> everywhere,
                   std::span<const lane_status> statuses)
    : home_(home),
      places_(std::move(devices)),
      lanes_(static_cast<std::size_t>(lanes)),
      horizon_(works_on_streams(places_) ? gpu_horizon : horizon),
      changed_(lanes_.size()),
      room_(lanes_.size()),
      little_(lanes_.size()),
      idle_(lanes_.size()),
      busy_(lanes_.size()),
      laden_(lanes_.size()),
      turns_(lanes_.size()),
      loads_(lanes_.size()),
      starved_lanes_(lanes_.size()),
      stuck_(lanes_.size()),
      statuses_(statuses),
      everywhere_(everywhere ? std::move(everywhere) : std::make_shared<in_flight_count>()) {
  for (int i = 0; i < lanes; ++i) changed_.insert(i);
}

ordering::~ordering() {
  decisions unheard;
  cancel(unheard);
  while (const task_ptr gone{unreported_.pop_front()}) {}
}

void ordering::add(task_ptr owned, decisions& out) {
  auto& t = *owned.release();
  waiting_.push_back(t);
  for (auto& in : t.inputs) {
    if (in.source && in.source->pending()) connect(in, t, out);
  }
  reconsider(t);
  hurry_inputs_of(t);
}

/// Makes an input wait for the task that computes it.
void ordering::connect(operand& in, task& t, decisions& out) {
  auto& v = *in.source;
  in.reader = &t;
  in.next_reader = nullptr;
  ++t.unfinished;
  if (v.home != home_) {
    auto& chain = awaited_[&v];
    if (!chain) out.watches.push_back(in.source);
    in.next_reader = std::exchange(chain, &in);
    return;
  }
  auto& p = *v.producer;
  (p.last_reader ? p.last_reader->next_reader : p.first_reader) = &in;
  p.last_reader = &in;
  if (p.stage == task_stage::in_flight) note_released(t, p.lane);
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
    stop_hoarding(t);
    make_ready(t);
  } else if (t.stage == task_stage::waiting && t.released == t.unfinished && t.source_lane >= 0 &&
             (t.lane == no_lane || t.lane == t.source_lane)) {
    waiting_.remove(t);
    stop_hoarding(t);
    chain(t);
  }
}

void ordering::chain(task& t) {
  t.stage = task_stage::chained;
  lane_of(t.source_lane).chained.push_back(t);
  changed_.insert(t.source_lane);
}

void ordering::unchain(task& t) noexcept {
  lane_of(t.source_lane).chained.remove(t);
  changed_.insert(t.source_lane);
}

void ordering::stop_hoarding(task& t) noexcept { ahead_ -= std::exchange(t.hoarded, 0); }

void ordering::make_ready(task& t) {
  queue(t);
  for (const auto* in = t.first_reader; in && early_.front(); in = in->next_reader)
    hurry_inputs_of(*in->reader);
}

void ordering::queue(task& t) {
  t.stage = task_stage::ready;
  (t.lane >= 0 ? lane_of(t.lane).ready : ready_).push_back(t);
  if (t.lane >= 0) changed_.insert(t.lane);
}

/// Takes a task, ready or early, from the front of its list.
void ordering::take_out(task& t) {
  if (t.stage == task_stage::early) early_.remove(t);
  else (t.lane >= 0 ? lane_of(t.lane).ready : ready_).pop_front();
  if (t.lane >= 0) changed_.insert(t.lane);
  t.stage = task_stage::ready;
}

/// Releases early tasks of which a reader lacks nothing else.
void ordering::hurry_inputs_of(const task& reader) {
  if (!early_.front() || reader.stage != task_stage::waiting) return;
  auto first_elsewhere = ~std::uint64_t{0};  // first task of another ordering that it waits for
  for (const auto& in : reader.inputs) {
    const auto* v = in.source.get();
    if (!v || !v->pending()) continue;
    if (v->home != home_) first_elsewhere = std::min(first_elsewhere, v->sequence);
    else if (!is_ready(*v->producer)) return;
  }
  for (const auto& in : reader.inputs) {
    if (auto* v = in.source.get(); v && v->pending() && v->home == home_) {
      if (v->producer->sequence < first_elsewhere) hurry(*v->producer);
    }
  }
}

bool ordering::hurry(task& t) {
  if (t.stage != task_stage::early) return false;
  early_.remove(t);
  queue(t);
  return true;
}

bool ordering::wanted(const value& v) {
  if (v.home != home_ || !v.pending()) return false;
  v.producer->wanted = true;
  return hurry(*v.producer);
}

int ordering::lane_at_work_on(const value& v) const noexcept {
  if (v.home != home_ || !v.pending()) return no_lane;
  return v.producer->stage == task_stage::in_flight ? v.producer->lane : no_lane;
}

void ordering::finished(task_ptr owned, decisions& out) {
  auto& t = *owned;
  --in_flight_;
  auto& l = lane_of(t.lane);
  l.tasks_in_flight.remove(t);
  l.loose -= t.loose;
  l.overdue = false;
  if (t.shared) end_shared(t);
  else done_with(t.lane, t.estimate);
  if (t.has_credit) place_of(t.device).credit->give_back(t.output_bytes);
  if (t.budget) t.budget->give_back();
  end(std::move(owned), out);
}

void ordering::take_on(int lane, double nanoseconds) noexcept {
  auto& l = lane_of(lane);
  ++l.tasks;
  l.ahead += nanoseconds;
  changed_.insert(lane);
}

void ordering::done_with(int lane, double nanoseconds) noexcept {
  auto& l = lane_of(lane);
  --l.tasks;
  l.ahead = l.tasks == 0 ? 0 : std::max(0.0, l.ahead - nanoseconds);
  if (l.tasks == 0) l.overdue = false;
  changed_.insert(lane);
}

/// Tells the readers of an ended task; the task is reported once nothing refers to it.
void ordering::end(task_ptr owned, decisions& out) {
  auto& t = *owned;
  t.stage = task_stage::ended;
  auto ahead = t.ran_ahead ? t.output_bytes : 0;
  for (auto* in = std::exchange(t.first_reader, nullptr); in;) {
    auto& reader = *in->reader;
    in = in->next_reader;
    --reader.unfinished;
    if (reader.released > 0 && --reader.released == 0 && reader.stage == task_stage::waiting)
      reader.source_lane = no_lane;
    if (reader.stage == task_stage::waiting || reader.stage == task_stage::chained)
      reconsider(reader);
    else if (reader.stage == task_stage::ended && reader.unfinished == 0) report(reader, out);
    if (reader.stage == task_stage::waiting) {
      reader.hoarded += std::exchange(ahead, 0);
      hurry_inputs_of(reader);
    }
  }
  ahead_ -= ahead;
  // Operands of a reader are links in the lists of tasks that have not been reported yet: the
  // reader must live until then.
  if (t.unfinished == 0) out.ended.push_back(std::move(owned));
  else unreported_.push_back(*owned.release());
}

/// Reports a task that ended before the last task that it reads from.
void ordering::report(task& t, decisions& out) {
  unreported_.remove(t);
  out.ended.emplace_back(&t);
}

void ordering::resolved(const value& v, decisions& out) {
  const auto chain = awaited_.find(&v);
  if (chain == awaited_.end()) return;
  auto* in = chain->second;
  awaited_.erase(chain);
  const int behind = v.pending() ? place_of(v.device).lane_behind : no_lane;
  while (in) {
    auto& reader = *in->reader;
    in = in->next_reader;
    --reader.unfinished;
    if (reader.stage == task_stage::ended) {
      if (reader.unfinished == 0) report(reader, out);
    } else {
      if (behind != no_lane) reader.lane = static_cast<std::int16_t>(behind);
      reconsider(reader);
      hurry_inputs_of(reader);
    }
  }
}

std::size_t ordering::held() const noexcept {
  auto n = waiting_.size() + ready_.size() + early_.size() + starved_.size();
  for (const auto& l : lanes_) n += l.chained.size() + l.ready.size();
  return n;
}

void ordering::cancel(decisions& out) {
  std::vector<task_ptr> cancelled;
  const auto take_all = [&](auto& tasks) {
    while (auto* t = tasks.pop_front()) cancelled.emplace_back(t);
  };
  take_all(waiting_);
  take_all(ready_);
  take_all(early_);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    take_all(lanes_[i].chained);
    take_all(lanes_[i].ready);
    changed_.insert(static_cast<int>(i));
  }
  for (auto* t : std::exchange(starved_, {})) cancelled.emplace_back(t);
  for (auto& t : cancelled) {
    t->fail("cancelled", failure::reason::cancelled);
    stop_hoarding(*t);
    // Keeps readers among the cancelled in place until their own turn below.
    t->stage = task_stage::in_flight;
  }
  for (auto& t : cancelled) end(std::move(t), out);
}

void ordering::release(decisions& out, ticks time) {
  time_ = time;
  for (auto* t : std::exchange(starved_, {})) queue(*t);
  starved_lanes_.take_each([this](int lane) {
    lane_of(lane).starved = false;
    changed_.insert(lane);
  });
  if (!statuses_.empty()) look_for_overdue(out);
  for (int lane = -1; auto* t = choose(lane);) {
    const bool ahead = runs_ahead(*t), early = ahead && !may_run_ahead(*t);
    const bool granted = !early && grant(*t, ahead);
    // If a task lacks memory, a later task that takes less, or that frees some, may go first.
    if (t->stage == task_stage::chained) {
      if (granted) {
        unchain(*t);
      } else {
        lane_of(lane).starved = true;
        starved_lanes_.insert(lane);
        changed_.insert(lane);
      }
    } else {
      take_out(*t);
      if (early) put_off(*t);
      else if (!granted) starved_.push_back(t);
    }
    if (granted) send(*t, lane, out);
    if (starved_.size() >= starved_search) break;
  }
  // With nothing in flight anywhere, no event would ever release an early task.
  if (early_.front() && in_flight_ == 0 && nothing_in_flight()) {
    auto& t = *early_.pop_front();
    if (grant(t, true)) send(t, std::max<int>(t.lane, 0), out);
    else queue(t);
  }
  offer_help(out);
  publish_flights(out);
  out.look_again = !statuses_.empty() && should_look_again();
}

void ordering::sent(int lane, assignment_ref tasks) {
  lane_of(lane).tasks_in_flight.sent(std::move(tasks));
}

/// Returns true if nothing that could free memory runs anywhere. Otherwise the other orderings are
/// asked to notify this one when their last task ends.
bool ordering::nothing_in_flight() const noexcept {
  const auto none = [this] { return in_flight_ == 0 && everywhere_->total.load() == published_; };
  if (none()) return true;
  everywhere_->held_back.store(true);
  return none();
}

void ordering::publish_flights(decisions& out) {
  const auto change = static_cast<std::int64_t>(in_flight_) - published_;
  if (change == 0) return;
  published_ += change;
  if (everywhere_->total.fetch_add(change) + change == 0 && everywhere_->held_back.exchange(false))
    out.all_quiet = true;
}

/// Returns true if no reader can use the task's result yet: each also needs a value that is neither
/// computed nor ready to be computed. That value is in flight or waits for something, so there is
/// progress without this task. Tasks bounded by a budget do not count.
bool ordering::runs_ahead(const task& t) const noexcept {
  if (!t.first_reader || t.output_bytes < worth_holding_back || t.budget || t.wanted) return false;
  const auto missing = [&](const operand& in) {
    const auto* v = in.source.get();
    if (!v || !v->pending()) return false;
    if (v->home != home_) return v->sequence < t.sequence;
    return v->producer != &t && !is_ready(*v->producer);
  };
  for (const auto* in = t.first_reader; in; in = in->next_reader) {
    const auto& all = in->reader->inputs;
    if (std::none_of(all.begin(), all.end(), missing)) return false;
  }
  return true;
}

/// Returns true if there is room for another task that runs ahead, or if it is next in program
/// order.
bool ordering::may_run_ahead(const task& t) const noexcept {
  if (ahead_ == 0 || ahead_ + t.output_bytes <= lanes_.size() * t.output_bytes) return true;
  const auto* first = waiting_.front();
  return !first || first->sequence > t.sequence;
}

void ordering::put_off(task& t) {
  t.stage = task_stage::early;
  early_.insert(t);
}

/// Takes the memory credit of a task, from its device and from its budget. With nothing in flight,
/// nothing will be freed, so the credit is forced.
bool ordering::take_credit(task& t) {
  auto& credit = *place_of(t.device).credit;
  const auto bytes = t.output_bytes;
  const bool allowed = !t.budget || t.budget->take(bytes, time_);
  if (allowed && credit.take(bytes)) return true;
  if (!nothing_in_flight()) {
    if (t.budget) t.budget->give_back();
    return false;
  }
  if (!allowed) t.budget->force(bytes);
  credit.force(bytes);
  return true;
}

/// Returns true if a task may be released now; it then holds its memory credit.
bool ordering::grant(task& t, bool ahead) {
  if (t.output_bytes == 0) return true;
  if (!take_credit(t)) return false;
  t.has_credit = true;
  t.ran_ahead = ahead;
  if (ahead) ahead_ += t.output_bytes;
  return true;
}

void ordering::send(task& t, int lane, decisions& out) {
  t.stage = task_stage::in_flight;
  t.lane = static_cast<std::int16_t>(lane);
  t.became_ready = time_;
  ++in_flight_;
  lane_of(lane).tasks_in_flight.add(t);
  out.releases.push_back({&t, lane});
  // Helpers of a delayed task would spin while its lane sleeps.
  if (lanes_.size() > 1 && t.estimate >= worth_sharing && t.kernel && t.kernel->chunks &&
      !t.injected_delay) {
    share(t, lane, out);
  } else {
    t.loose = t.unfinished == 0;
    lane_of(lane).loose += t.loose;
    take_on(lane, t.estimate);
  }
  for (auto* in = t.first_reader; in; in = in->next_reader) {
    note_released(*in->reader, lane);
    reconsider(*in->reader);
  }
}

const ordering::place& ordering::place_of(device d) const noexcept {
  for (const auto& p : places_) {
    if (p.device->id() == d) return p;
  }
  return places_.front();
}

}  // namespace troupe
