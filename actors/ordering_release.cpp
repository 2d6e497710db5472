// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/actors/ordering.hpp"

namespace troupe {

namespace {

// Times are nanoseconds of estimated work.
// A lane is given so much ahead; below the second, it gets one task behind the one it runs.
constexpr double horizon = 1.5 * (1 << 18), next_horizon = 8 * horizon;
static_assert(lane_loads::separates(horizon));
// A GPU or another machine is given so much behind the task that it runs, since it would stand
// still until its end is noticed here.
constexpr double stream_horizon = 1 << 21;
// Small tasks fill a lane up to this before the next lane is woken.
constexpr double pack = 1.5 * (1 << 17);
static_assert(lane_loads::separates(pack));
constexpr double small_task = 5'000;
constexpr double worth_sharing = 40'000;

// Bits of the sets that a lane is in.
constexpr int in_little = 1, in_room = 2, in_idle = 4;

}  // namespace

bool ordering::has_room(const lane_state& l) const noexcept {
  if (l.overdue) return false;
  if (on_stream_) {
    const auto* const running = l.tasks_in_flight.size() > 0 ? l.tasks_in_flight[0] : nullptr;
    return l.ahead - (running ? running->estimate : 0) < stream_horizon;
  }
  return l.ahead < horizon || (l.tasks <= 1 && l.ahead < next_horizon);
}

/// Updates the sets of lanes when the load of a lane may have changed them.
void ordering::regroup(int lane) {
  auto& l = lane_of(lane);
  const auto level = l.overdue ? lane_loads::most : lane_loads::level_of(l.ahead);
  const auto before = std::exchange(l.level, level);
  if (lanes_.size() > few_lanes) loads_.move(lane, before, level);
  const bool room = has_room(l);
  const auto sets = static_cast<std::uint8_t>((room && l.ahead < pack ? in_little : 0) |
                                              (room ? in_room : 0) | (l.tasks == 0 ? in_idle : 0));
  const int changed = std::exchange(l.sets, sets) ^ sets;
  if (changed & in_little) little_.flip(lane);
  if (changed & in_idle) idle_.flip(lane);
  if (changed & in_room) {
    room_.flip(lane);
    if (room) note_turn(lane);
  }
}

/// Notes the first of the tasks that only this lane may run. Call it when there may be another one,
/// and when the lane has room again.
void ordering::note_turn(int lane) {
  if (lanes_.size() <= few_lanes) return;
  auto& l = lane_of(lane);
  const auto* t = first_of(l);
  if (!t || !(l.sets & in_room) || rank(*t) >= l.turn) return;
  l.turn = rank(*t);
  turns_.push(l.turn, lane);
}

/// Returns the first in program order of the tasks that only one lane may run, which has room, and
/// sets `lane`; null if there is none.
task* ordering::first_bound(int& lane) {
  task* first = nullptr;
  if (lanes_.size() <= few_lanes) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      auto* t = lanes_[i].sets & in_room ? first_of(lanes_[i]) : nullptr;
      if (!t || (first && rank(*first) < rank(*t))) continue;
      first = t;
      lane = static_cast<int>(i);
    }
    return first;
  }
  while (!turns_.empty()) {
    const auto turn = turns_.first();
    auto& l = lane_of(turn.lane);
    if (l.turn == turn.rank) {
      first = first_of(l);
      if (first && rank(*first) == turn.rank && l.sets & in_room) {
        lane = turn.lane;
        return first;
      }
      l.turn = program_order::none;
    }
    turns_.pop();
    note_turn(turn.lane);  // a later task may be first now
  }
  return nullptr;
}

int ordering::least_loaded() const noexcept {
  if (lanes_.size() > few_lanes) return loads_.least();
  const auto least = std::ranges::min_element(lanes_, [](auto& a, auto& b) {
    return a.overdue == b.overdue ? a.ahead < b.ahead : b.overdue;
  });
  return static_cast<int>(least - lanes_.begin());
}

/// Returns the lane that a ready task should go to now, or -1.
int ordering::lane_for(const task& t) const noexcept {
  if (t.lane >= 0) return room_.contains(t.lane) ? t.lane : no_lane;
  if (t.estimate < small_task) {
    if (const int lane = little_.first(); lane >= 0) return lane;
  }
  const int least = least_loaded();
  return room_.contains(least) ? least : no_lane;
}

/// Returns the task to release next and sets its lane: the lowest in rank among those with a lane
/// that has room.
task* ordering::choose(int& lane) {
  task* best = ready_.front();
  // The very first may have to go although there is no room for what it makes.
  for (auto* t : {early_.first_for_room(), early_.first()}) {
    if (t && (!best || rank(*t) < rank(*best)) && may_run_ahead(*t)) best = t;
  }
  int its_lane = no_lane;
  auto* bound = first_bound(its_lane);
  if (best && (!bound || rank(*best) < rank(*bound))) {
    if ((lane = lane_for(*best)) >= 0) return best;
  }
  if (!bound) return nullptr;
  lane = its_lane;
  if (!turns_.empty()) {
    turns_.pop();  // it is about to go, or to be found without memory
    lane_of(lane).turn = program_order::none;
  }
  return bound;
}

void ordering::take_on(int lane, double nanoseconds) {
  auto& l = lane_of(lane);
  ++l.tasks;
  l.ahead += nanoseconds;
  note_load(lane);
}

void ordering::sent(int lane, assignment_ref tasks) {
  if (statuses_.empty()) return;
  auto& all = lane_of(lane).sent;
  while (!all.empty() && all.front()->unique()) all.pop_front();
  all.push_back(std::move(tasks));
}

void ordering::release(decisions& out, ticks time) {
  time_ = time;
  turn_ = program_order::none;
  holds_ = false;
  refused_.assign(places_.size(), SIZE_MAX);
  for (auto* t : std::exchange(starved_, {})) queue(*t);
  while (!starved_lanes_.empty()) {
    lane_of(starved_lanes_.back()).starved = false;
    note_turn(starved_lanes_.back());
    starved_lanes_.pop_back();
  }
  if (!statuses_.empty()) look_for_overdue(out);
  fail_doomed(out);
  search_again(out);
  for (int lane = -1; auto* t = choose(lane);) {
    const bool ahead = !t->has_credit && runs_ahead(*t), early = ahead && !may_run_ahead(*t);
    const auto asked = early ? answer::refused : grant(*t, ahead);
    const bool granted = asked == answer::granted;
    // If a task lacks memory, a later task that takes less, or that frees some, may go first.
    if (t->stage == task_stage::chained) {
      if (granted) {
        unchain(*t);
      } else {
        lane_of(lane).starved = true;
        starved_lanes_.push_back(lane);
        note_turn(lane);
      }
    } else {
      take_out(*t);
      if (early) put_off(*t);
      else if (asked == answer::never) fail_beyond_limit(task_ptr(t), out);
      else if (!granted) starved_.push_back(t);
    }
    if (granted) send(*t, lane, out);
    fail_doomed(out);
    if (holds_ || starved_.size() >= starved_search) break;
  }
  if (starved_.size() >= starved_search) try_earliest(out);
  fail_doomed(out);
  watch_new(out);
  offer_help(out);
  publish_flights(out);
  publish_first(out);
}

/// Tries the first ready task in program order, or an early one before it, if only tasks of higher
/// priorities were tried: their turn never comes before its own.
void ordering::try_earliest(decisions& out) {
  auto* t = ready_.earliest();
  auto* from = &ready_;
  for (auto& l : lanes_) {
    auto* const bound = l.ready.earliest();
    if (bound && (!t || bound->sequence < t->sequence)) t = bound, from = &l.ready;
  }
  auto* const early = early_.first();
  if (early && (!t || early->sequence < t->sequence) && may_run_ahead(*early)) t = early;
  if (!t || holds_ ||
      t->sequence > (*std::ranges::min_element(starved_, {}, &task::sequence))->sequence)
    return;
  const int lane = lane_for(*t);
  if (lane < 0) return;
  if (t == early) {
    early_.erase(*t);
    t->stage = task_stage::ready;
  } else {
    from->remove(*t);
    if (from != &ready_) note_turn(lane);
  }
  const auto asked = grant(*t, t == early);
  if (asked == answer::granted) send(*t, lane, out);
  else if (asked == answer::never) fail_beyond_limit(task_ptr(t), out);
  else starved_.push_back(t);
}

void ordering::send(task& t, int lane, decisions& out) {
  t.stage = task_stage::in_flight;
  t.lane = static_cast<std::int16_t>(lane);
  t.became_ready = time_;
  stop_hoarding(t);
  ++in_flight_;
  lane_of(lane).tasks_in_flight.add(t);
  out.releases.push_back({&t, lane});
  // Helpers of a delayed task would spin while its lane sleeps.
  if (lanes_.size() > 1 && t.estimate >= worth_sharing && t.kernel && t.kernel->chunks &&
      !t.injected.late)
    share(t, lane, out);
  else take_on(lane, t.estimate);
  for (auto* in = t.first_reader; in; in = in->next_reader) {
    note_released(*in->reader, lane);
    reconsider(*in->reader);
  }
}

}  // namespace troupe
