// SPDX-License-Identifier: MIT
#include "troupe/actors/ordering.hpp"

#include <utility>

namespace troupe {

namespace {

// Times are nanoseconds of estimated work.
constexpr double horizon = 400'000;  // work that a lane is given ahead
// Work that a GPU lane is given ahead: more, since the GPU does not report the end of each task.
constexpr double gpu_horizon = 2'000'000;
// Multiple of the horizon below which a lane gets one task behind the one it runs.
constexpr double next_horizon = 10;
// Small tasks fill a lane up to this before the next lane is woken.
constexpr double pack = 200'000;
constexpr double small_task = 5'000;
constexpr double worth_sharing = 40'000;
constexpr double fills_caches = 8e6;  // bytes
constexpr int most_sharing = 64;      // lanes of one device that can share a task
constexpr std::size_t starved_search = 64;
// Smallest output in bytes that counts as computed ahead.
constexpr std::size_t worth_holding_back = 1024;

constexpr std::int16_t no_lane = -1, several_lanes = -2;

/// Returns true if lanes should compute such tasks together, one after the other: side by side,
/// each task would push the others' data out of the cache that the lanes share.
bool better_together(const task& t) noexcept {
  return t.cost.bytes >= fills_caches && t.cost.flops <= t.cost.bytes;
}

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
  unneeded.clear();
  others_look = lanes_look = false;
}

ordering::ordering(int home, int lanes, std::vector<place> devices,
                   std::shared_ptr<program_order> everywhere)
    : home_(home),
      places_(std::move(devices)),
      lanes_(static_cast<std::size_t>(lanes)),
      horizon_(works_on_streams(places_) ? gpu_horizon : horizon),
      everywhere_(everywhere
                      ? std::move(everywhere)
                      : std::make_shared<program_order>(static_cast<std::size_t>(home) + 1)) {}

ordering::~ordering() {
  decisions unheard;
  cancel(unheard);
  while (const task_ptr gone{unreported_.pop_front()}) {}
}

void ordering::add(task_ptr owned, decisions& out) {
  auto& t = *owned.release();
  ++unended_;
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
    (t.stage == task_stage::chained ? lane_of(t.source_lane).chained : waiting_).remove(t);
    stop_hoarding(t);
    make_ready(t);
  } else if (t.stage == task_stage::waiting && t.released == t.unfinished && t.source_lane >= 0 &&
             (t.lane == no_lane || t.lane == t.source_lane)) {
    waiting_.remove(t);
    stop_hoarding(t);
    t.stage = task_stage::chained;
    lane_of(t.source_lane).chained.push_back(t);
  }
}

void ordering::stop_hoarding(task& t) noexcept { ahead_ -= std::exchange(t.hoarded, 0); }

void ordering::make_ready(task& t) {
  queue(t);
  for (const auto* in = t.first_reader; in && early_.front(); in = in->next_reader)
    hurry_inputs_of(*in->reader);
}

void ordering::queue(task& t) {
  t.stage = task_stage::ready;
  (t.lane >= 0 ? lane_of(t.lane).ready : ready_).push(t);
}

/// Takes a task, ready or early, from the front of its list.
void ordering::take_out(task& t) {
  if (t.stage == task_stage::early) early_.remove(t);
  else (t.lane >= 0 ? lane_of(t.lane).ready : ready_).pop_front();
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
  lane_of(t.lane).tasks_in_flight.remove(t);
  if (t.shared) end_shared(t);
  else done_with(t.lane, t.estimate);
  if (t.has_credit) place_of(t.device).credit->give_back(t.output_bytes);
  if (t.budget) t.budget->give_back();
  end(std::move(owned), out);
}

void ordering::end_shared(task& t) {
  const auto run =
      std::find_if(shared_.begin(), shared_.end(), [&](auto& s) { return s.task == &t; });
  for (int i = 0; i < static_cast<int>(lanes_.size()) && i < most_sharing; ++i) {
    if (run->lanes >> i & 1) done_with(i, i == t.lane ? run->own : run->help);
  }
  shared_.erase(run);
  t.shared = nullptr;
}

void ordering::take_on(int lane, double nanoseconds) noexcept {
  auto& l = lane_of(lane);
  ++l.tasks;
  l.ahead += nanoseconds;
}

void ordering::done_with(int lane, double nanoseconds) noexcept {
  auto& l = lane_of(lane);
  --l.tasks;
  l.ahead = l.tasks == 0 ? 0 : std::max(0.0, l.ahead - nanoseconds);
}

/// Tells the readers of an ended task; the task is reported once nothing refers to it.
void ordering::end(task_ptr owned, decisions& out) {
  auto& t = *owned;
  t.stage = task_stage::ended;
  --unended_;
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
  for (auto& l : lanes_) take_all(l.chained), take_all(l.ready);
  for (auto* t : std::exchange(starved_, {})) cancelled.emplace_back(t);
  for (auto& t : cancelled) {
    t->fail("cancelled", failure::reason::cancelled);
    stop_hoarding(*t);
    // Keeps readers among the cancelled in place until their own turn below.
    t->stage = task_stage::in_flight;
  }
  for (auto& t : cancelled) end(std::move(t), out);
}

bool ordering::has_room(const lane_state& l) const noexcept {
  return l.ahead < horizon_ || (l.tasks <= 1 && l.ahead < next_horizon * horizon_);
}

/// Returns the lane that a ready task should go to now, or -1.
int ordering::lane_for(const task& t) const noexcept {
  if (t.lane >= 0) return has_room(lanes_[static_cast<std::size_t>(t.lane)]) ? t.lane : -1;
  if (t.estimate < small_task) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (lanes_[i].ahead < pack) return static_cast<int>(i);
    }
  }
  const auto least = std::min_element(lanes_.begin(), lanes_.end(),
                                      [](auto& a, auto& b) { return a.ahead < b.ahead; });
  return has_room(*least) ? static_cast<int>(least - lanes_.begin()) : -1;
}

/// Returns the task to release next and sets its lane: the first in program order among those with
/// a lane that has room.
task* ordering::choose(int& lane) {
  task* best = ready_.front();
  if (auto* t = early_.front(); t && may_run_ahead(*t) && (!best || t->sequence < best->sequence))
    best = t;
  if (best && (lane = lane_for(*best)) < 0) best = nullptr;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    auto& l = lanes_[i];
    if (!has_room(l)) continue;
    for (auto* t : {l.starved ? nullptr : l.chained.front(), l.ready.front()}) {
      if (t && (!best || t->sequence < best->sequence)) {
        best = t;
        lane = static_cast<int>(i);
      }
    }
  }
  return best;
}

void ordering::release(decisions& out) {
  time_ = now();
  turn_ = program_order::none;
  holds_ = false;
  for (auto* t : std::exchange(starved_, {})) queue(*t);
  for (auto& l : lanes_) l.starved = false;
  for (int lane = -1; auto* t = choose(lane);) {
    const bool ahead = runs_ahead(*t), early = ahead && !may_run_ahead(*t);
    const auto asked = early ? answer::refused : grant(*t, ahead);
    const bool granted = asked == answer::granted;
    // If a task lacks memory, a later task that takes less, or that frees some, may go first.
    if (t->stage == task_stage::chained) {
      if (granted) lane_of(lane).chained.remove(*t);
      else lane_of(lane).starved = true;
    } else {
      take_out(*t);
      if (early) put_off(*t);
      else if (asked == answer::never) fail_beyond_limit(task_ptr(t), out);
      else if (!granted) starved_.push_back(t);
    }
    if (granted) send(*t, lane, out);
    if (holds_ || starved_.size() >= starved_search) break;
  }
  // With nothing in flight anywhere, no event would ever release an early task.
  if (early_.front() && in_flight_ == 0 && nothing_in_flight()) {
    auto& t = *early_.pop_front();
    const auto asked = grant(t, true);
    if (asked == answer::granted) send(t, std::max<int>(t.lane, 0), out);
    else if (asked == answer::refused) queue(t);
    else fail_beyond_limit(task_ptr(&t), out), out.others_look = true;
  }
  offer_help(out);
  publish_flights(out);
  publish_first(out);
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

void ordering::send(task& t, int lane, decisions& out) {
  t.stage = task_stage::in_flight;
  t.lane = static_cast<std::int16_t>(lane);
  t.became_ready = time_;
  ++in_flight_;
  lane_of(lane).tasks_in_flight.add(t);
  out.releases.push_back({&t, lane});
  // Helpers of a delayed task would spin while its lane sleeps.
  if (lanes_.size() > 1 && lane < most_sharing && t.estimate >= worth_sharing && t.kernel &&
      t.kernel->chunks && !t.injected.late)
    share(t, lane, out);
  else take_on(lane, t.estimate);
  for (auto* in = t.first_reader; in; in = in->next_reader) {
    note_released(*in->reader, lane);
    reconsider(*in->reader);
  }
}

/// Sends a large task to a lane such that other lanes may help.
void ordering::share(task& t, int lane, decisions& out) {
  t.shared =
      reference<shared_run>(new shared_run(t, *places_[0].device, static_cast<int>(lanes_.size())));
  const bool together = better_together(t);
  const auto part = t.estimate / static_cast<double>(together ? lanes_.size() : 2);
  auto& run = shared_.emplace_back(
      shared_task{&t, std::uint64_t{1} << lane, together ? part : t.estimate, part});
  take_on(lane, run.own);
  if (!together) return;
  for (int i = 0; i < static_cast<int>(lanes_.size()) && i < most_sharing; ++i) {
    if (i != lane) ask_to_help(run, i, out);
  }
}

void ordering::ask_to_help(shared_task& run, int lane, decisions& out) {
  run.lanes |= std::uint64_t{1} << lane;
  take_on(lane, run.help);
  out.helps.push_back({run.task->shared, lane});
}

/// Gives idle lanes a share of large tasks in flight.
void ordering::offer_help(decisions& out) {
  if (shared_.empty() || (!ready_.empty() && starved_.size() < starved_search)) return;
  for (int i = 0; i < static_cast<int>(lanes_.size()) && i < most_sharing; ++i) {
    for (auto& run : shared_) {
      if (!has_room(lane_of(i))) break;
      if ((run.lanes >> i & 1) == 0) ask_to_help(run, i, out);
    }
  }
}

const ordering::place& ordering::place_of(device d) const noexcept {
  for (const auto& p : places_) {
    if (p.device->id() == d) return p;
  }
  return places_.front();
}

}  // namespace troupe
