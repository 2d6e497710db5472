// SPDX-License-Identifier: MIT
#include "troupe/actors/ordering.hpp"

namespace troupe {

namespace {

// Times are nanoseconds of estimated work.
// Multiple of the horizon below which a lane gets one task behind the one it runs.
constexpr double next_horizon = 10;
// Small tasks fill a lane up to this before the next lane is woken.
constexpr double pack = 200'000;
constexpr double small_task = 5'000;

}  // namespace

void ordering::refresh() {
  changed_.take_each([this](int lane) { update(lane); });
}

/// Notes what matters of a lane.
void ordering::update(int lane) {
  auto& l = lane_of(lane);
  const bool room = has_room(l), little = l.ahead < pack && !l.overdue,
             laden = l.tasks > 1 && l.loose > 0 && !l.overdue;
  // The last bit tells this from the state of a lane that was never updated.
  const auto sets = static_cast<std::uint8_t>(room | little << 1 | (l.tasks > 0) << 2 | laden << 3 |
                                              l.overdue << 4 | 1 << 5);
  if (sets != l.sets) {
    l.sets = sets;
    room_.set(lane, room);
    little_.set(lane, little);
    idle_.set(lane, l.tasks == 0);
    busy_.set(lane, l.tasks > 0);
    laden_.set(lane, laden);
    if (!l.overdue) stuck_.erase(lane);
  }
  loads_.set(lane, l.overdue ? loads_.none : l.ahead);
  const auto* first = room ? first_of(l) : nullptr;
  turns_.set(lane, first ? rank(*first) : turns_.none);
}

bool ordering::has_room(const lane_state& l) const noexcept {
  return !l.overdue && (l.ahead < horizon_ || (l.tasks <= 1 && l.ahead < next_horizon * horizon_));
}

/// Returns the first of the tasks that may go to this lane alone, or null.
task* ordering::first_of(const lane_state& l) noexcept {
  auto* chained = l.starved ? nullptr : l.chained.front();
  auto* ready = l.ready.front();
  return !chained || (ready && rank(*ready) < rank(*chained)) ? ready : chained;
}

/// Returns the lane that a ready task should go to now, or -1.
int ordering::lane_for(const task& t) noexcept {
  if (t.lane >= 0) return room_.contains(t.lane) ? t.lane : -1;
  return any_lane_for(t);
}

int ordering::any_lane_for(const task& t) noexcept {
  if (t.estimate < small_task) {
    if (const int lane = little_.first(); lane >= 0) return lane;
  }
  if (const int lane = idle_.first(); lane >= 0) return lane;
  const int least = loads_.first();
  return least >= 0 && room_.contains(least) ? least : -1;
}

/// Returns the task to release next and sets its lane: the first by rank among those with a lane
/// that has room.
task* ordering::choose(int& lane) {
  task* best = ready_.front();
  if (auto* t = early_.front(); t && may_run_ahead(*t) && (!best || rank(*t) < rank(*best)))
    best = t;
  refresh();
  const int bound = turns_.first();
  if (best && (bound < 0 || rank(*best) < turns_.key(bound)) && (lane = lane_for(*best)) >= 0)
    return best;
  if (bound < 0) return nullptr;
  lane = bound;
  return first_of(lane_of(lane));
}

}  // namespace troupe
