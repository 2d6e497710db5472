// SPDX-License-Identifier: MIT
#include "troupe/actors/actor_scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include <caf/scheduled_actor.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

#include "troupe/actors/actor_scheduler_thread.hpp"
#include "troupe/actors/clean_thread.hpp"
#include "troupe/actors/home_unit.hpp"
#include "troupe/actors/no_timeouts.hpp"
#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/default_float_environment.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/library_thread.hpp"

namespace troupe {

namespace {

constexpr ticks worker_spin = 100'000;       // 30 to 50 microseconds
constexpr ticks still_submitting = 100'000;  // time since the last task came
constexpr ticks gathering = 10'000;          // 3 to 5 microseconds
constexpr ticks overdue_call = 500'000;      // 0.15 to 0.25 milliseconds
constexpr auto shortest_nap = std::chrono::microseconds(400);
constexpr auto longest_nap = std::chrono::microseconds(2000);
constexpr int woken_at_once = 2;  // so that many threads are woken as a tree

}  // namespace

thread_local constinit actor_scheduler::thread_state* actor_scheduler::here_ = nullptr;

/// Makes CAF see this scheduler as its own.
class actor_scheduler::caf_module final : public caf::scheduler::abstract_coordinator {
 public:
  caf_module(caf::actor_system& system, actor_scheduler& own)
      : abstract_coordinator(system), own_(own) {
    own_.unit_ = std::make_unique<home_unit>(system);
  }
  void start() override {}
  void stop() override { own_.stop(); }
  void enqueue(caf::resumable* one) override { own_.post_of_caf(one); }
  bool detaches_utility_actors() const override { return false; }
  caf::actor_clock& clock() noexcept override { return clock_; }

 private:
  actor_scheduler& own_;
  no_timeouts clock_;
};

void actor_slot::exec_later(caf::resumable* actor) {
  actor_.store(actor);
  scheduler_.posted(*this);
}

actor_scheduler::actor_scheduler(int cores, source& from) : threads_(cores), from_(from) {
  workers_.emplace_back(nullptr, driver::no_lane, lane_kind::tied);
}

actor_scheduler::~actor_scheduler() { stop(); }

void actor_scheduler::install(caf::actor_system_config& config) {
  config.module_factories.emplace_back(
      [this](caf::actor_system& system) -> caf::actor_system::module* {
        return new caf_module(system, *this);
      });
}

actor_slot& actor_scheduler::add_control() {
  auto& slot = slots_.emplace_back(*this, control_.size(), true);
  control_.push_back(&slot);
  control_waiting_.reserve(control_.size());
  return slot;
}

actor_slot& actor_scheduler::add_lane(std::shared_ptr<driver> device, int index, lane_kind kind) {
  const auto number = workers_.size();
  auto& slot = slots_.emplace_back(*this, number, false);
  workers_.emplace_back(std::move(device), index, kind).slot = &slot;
  lanes_waiting_.reserve(workers_.size());
  return slot;
}

void actor_scheduler::start() {
  std::size_t started = 0;
  try {
    for (auto& one : workers_) {
      one.thread = library_thread([this, &one] { run_worker(one); });
      ++started;
    }
  } catch (const std::system_error& e) {
    stop();
    stopping_ = false;
    throw error("runtime: the system refuses a thread, after " + std::to_string(started) + " of " +
                    std::to_string(workers_.size()) + ": " + e.code().message(),
                {});
  }
  // As they begin, threads take memory that they cannot wait for later, when there may be none.
  for (auto n = begun_.load(); n < workers_.size(); n = begun_.load()) begun_.wait(n);
}

void actor_scheduler::stop() noexcept {
  stopping_ = true;
  for (auto& one : workers_) one.bed.wake();
  for (auto& one : workers_) {
    if (one.thread.joinable()) one.thread.join();
  }
  run_here();
}

void actor_scheduler::run_here() {
  for (bool any = true; any;) {
    any = run_of_caf();
    for (auto& slot : slots_) {
      auto* actor = take(slot, slot.control() ? control_waiting_ : lanes_waiting_);
      if (!actor) continue;
      run(slot, actor);
      any = true;
    }
  }
}

// ---- an actor has messages ----

void actor_scheduler::posted(actor_slot& slot) noexcept {
  if (slot.control()) {
    control_waiting_.add(slot.number());
    if (!threads_.somebody_looks()) wake_control();
    return;
  }
  auto& of = workers_[slot.number()];
  if (of.kind == lane_kind::tied) {
    wake(of);
    return;
  }
  lanes_waiting_.add(slot.number());
  if (of.reserved.load() || lanes_waiting_.size() > threads_.runners()) wake_for_lane(of);
}

void actor_scheduler::post_of_caf(caf::resumable* actor) {
  {
    const bookkeeping books;
    std::lock_guard lock(of_caf_mutex_);
    of_caf_.push_back(actor);
    of_caf_waits_ = true;
  }
  if (!threads_.somebody_looks()) wake_control();
}

/// Wakes the control thread, unless what has come can wait until it looks up by itself: a lane will
/// do its work before that, or the lanes have all cores.
void actor_scheduler::wake_control() noexcept {
  auto& control = workers_.front();
  if (lane_is_back_soon() || (control.napping.load() && threads_.cores_are_taken())) return;
  wake(control);
}

/// Wakes the control thread if it sleeps although tasks are pending, as it does where others have
/// done its work: from now on it naps, and notices deadlines and lanes that take too long.
void actor_scheduler::keep_watch() noexcept {
  auto& control = workers_.front();
  if (control.asleep.load() && !control.napping.load() && from_.busy()) wake(control);
}

/// Returns true if a lane computes what takes microseconds and will then look for work. If it errs,
/// the control thread's naps are the remedy.
bool actor_scheduler::lane_is_back_soon() const noexcept {
  return workers_.front().napping.load() && threads_.somebody_is_back_soon();
}

/// Wakes a thread; it counts as looking from now on. Returns false if it was awake.
bool actor_scheduler::wake(worker& w) noexcept {
  if (!w.asleep.exchange(false)) return false;
  threads_.look(runs_lanes(w));
  w.bed.wake();
  return true;
}

void actor_scheduler::wake_for_lane(worker& of) noexcept {
  if (wake(of)) return;
  for (auto& other : workers_) {
    if (other.kind == lane_kind::open && wake(other)) return;
  }
}

/// Wakes threads for lanes that wait, if too few are looking.
void actor_scheduler::pass_on() noexcept {
  for (int i = 0; i < woken_at_once && lanes_waiting_.size() > threads_.runners(); ++i) {
    const auto lane = lanes_waiting_.find();
    if (lane == slot_set::none) return;
    wake_for_lane(workers_[lane]);
  }
}

bool actor_scheduler::control_waits() const noexcept {
  return control_waiting_.size() > 0 || from_.has_work() || of_caf_waits_.load();
}

// ---- a thread looks for work ----

void actor_scheduler::run_worker(worker& w) {
  const default_float_environment usual;  // a new thread has that of the one that made it
  {
    const bookkeeping books;
    clean_thread();  // makes what CAF keeps for each thread
    begun_.fetch_add(1);
    begun_.notify_one();
    if (w.device) w.device->enter(w.index);
  }
  thread_state me{.scheduler = this, .runs_lanes = runs_lanes(w), .works_for = w.device.get()};
  here_ = &me;
  threads_.look(me.runs_lanes);
  spin idle(worker_spin);
  bool spinning = false;
  int watching = 0;  // actors that only look at the lanes, as this thread called them
  const auto set_spinning = [&](bool now_spinning) {
    if (spinning == now_spinning) return;
    spinning = now_spinning;
    threads_.spin(spinning);
  };
  while (!stopping_.load()) {
    if (work(&w, !is_control(w))) {
      set_spinning(false);
      if (watching > 0) {
        --watching;
        idle.end();
      } else {
        w.nap = 0;
        idle.restart();
      }
      continue;
    }
    if (!spinning) clean_thread();  // values that went away may have run code of the user's own
    set_spinning(true);
    if (may_spin() && idle.pause()) continue;
    set_spinning(false);
    if (sleep(w)) {
      watching = 0;
      idle.restart();
    } else {
      watching = from_.watch_lanes();
      idle.end();
    }
  }
  threads_.stop_looking(me.runs_lanes);
  here_ = nullptr;
}

/// Returns true if a worker may spin, and leaves a core to a client that waits or submits.
bool actor_scheduler::may_spin() const noexcept {
  return threads_.may_spin(threads_.client_waits() ||
                           now() - last_call_.load(std::memory_order_relaxed) < still_submitting);
}

/// Runs one actor that waits. Returns false if there was none.
bool actor_scheduler::work(worker* w, bool lanes) {
  if (w && w->slot && run_lane(*w)) return true;
  if (from_.has_work() && call_is_overdue() && call_control()) return true;
  if (run_control()) return true;
  if (from_.has_work() && call_control()) return true;
  if (of_caf_waits_.load(std::memory_order_relaxed) && run_of_caf()) return true;
  if (lanes && lanes_waiting_.size() > 0 && run_waiting_lane(w)) return true;
  return w && runs_lanes(*w) && from_.wants_help(*w->device) && !threads_.cores_are_taken() &&
         help(*w);
}

/// Calls the control actors to take what clients have left, unless more should gather first: a few
/// tasks at a time, messages would cost more than the tasks. A client that waits has left all.
bool actor_scheduler::call_control() {
  const auto time = now();
  if (!threads_.client_waits() && from_.lanes_have_enough() &&
      time - last_call_.load(std::memory_order_relaxed) < gathering)
    return false;
  last_call_.store(time, std::memory_order_relaxed);
  return from_.call();
}

/// Returns true if what clients have left must not wait for other messages any longer: a lane's
/// thread that does the work of control finds one whenever it looks.
bool actor_scheduler::call_is_overdue() const noexcept {
  return now() - last_call_.load(std::memory_order_relaxed) > overdue_call;
}

/// Runs an open lane in place of its own thread.
bool actor_scheduler::run_waiting_lane(const worker* w) {
  if (w && !runs_lanes(*w)) return false;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const auto found = lanes_waiting_.find(i);
    if (found == slot_set::none || found < i) return false;
    i = found;
    if ((w || !workers_[i].reserved.load()) && run_lane(workers_[i])) return true;
  }
  return false;
}

/// Takes the actor out of a slot. A slot may have been emptied, and filled again, by others since
/// it was found in the set.
caf::resumable* actor_scheduler::take(actor_slot& from, slot_set& set) noexcept {
  auto* actor = from.take();
  set.remove(from.number());
  if (!actor && from.occupied()) set.add(from.number());
  return actor;
}

bool actor_scheduler::run_control() {
  if (control_waiting_.size() == 0) return false;
  const auto i = control_waiting_.find(turn_.load(std::memory_order_relaxed) % control_.size());
  if (i == slot_set::none) return false;
  auto* actor = take(*control_[i], control_waiting_);
  if (!actor) return false;
  turn_.store(i + 1, std::memory_order_relaxed);
  run(*control_[i], actor);
  return true;
}

bool actor_scheduler::run_lane(worker& of) {
  if (!of.slot->occupied()) return false;
  auto* actor = take(*of.slot, lanes_waiting_);
  if (!actor) return false;
  of.reserved.store(false);
  begin_computing();
  run(*of.slot, actor);
  about_to_look();
  return true;
}

/// Notes that this thread looks for work no longer: others do.
void actor_scheduler::begin_computing() {
  here_->looks = false;
  threads_.compute();
  const bool last = threads_.stop_looking(here_->runs_lanes);
  pass_on();
  if (last && control_waits()) wake_control();
  if (last) keep_watch();
}

/// Takes part in what a client's thread computes, on a thread of the same device.
bool actor_scheduler::help(const worker& w) {
  begin_computing();
  keep_to(*w.device, w.index);
  const bool any = from_.help(*w.device, static_cast<int>(w.slot->number()) - 1);
  about_to_look();
  return any;
}

void actor_scheduler::wake_helper(const driver& on) noexcept {
  if (!spin::pays() || threads_.cores_are_taken() || !threads_.may_spin(false)) return;
  for (auto& one : workers_) {
    if (one.device.get() == &on && runs_lanes(one) && wake(one)) return;
  }
}

/// Lets an actor act on a message. It does nothing by halves for lack of memory: an actor that
/// threw would end.
void actor_scheduler::run(actor_slot& slot, caf::resumable* actor) {
  const bookkeeping books;
  if (actor->resume(unit_.get(), 1) == caf::resumable::resume_later) slot.exec_later(actor);
  else caf::intrusive_ptr_release(actor);
}

bool actor_scheduler::run_of_caf() {
  std::unique_lock lock(of_caf_mutex_);
  if (of_caf_.empty()) return false;
  auto* actor = of_caf_.front();
  of_caf_.pop_front();
  of_caf_waits_ = !of_caf_.empty();
  lock.unlock();
  const bookkeeping books;
  if (actor->resume(unit_.get(), 1) == caf::resumable::resume_later) post_of_caf(actor);
  else caf::intrusive_ptr_release(actor);
  return true;
}

void actor_scheduler::about_to_look() noexcept {
  if (!here_ || here_->looks) return;
  here_->looks = true;
  auto& threads = here_->scheduler->threads_;
  threads.look(here_->runs_lanes);
  threads.stop_computing(std::exchange(here_->away, false));
  threads.came();
}

void actor_scheduler::keep_to(driver& device, int lane) noexcept {
  if (here_ && !here_->client && std::exchange(here_->works_for, &device) != &device)
    device.enter(lane);
}

void actor_scheduler::about_to_compute() noexcept {
  if (here_ && !here_->looks && !std::exchange(here_->away, true)) threads_.go_away();
  if (!threads_.somebody_looks() && control_waits()) wake_control();
}

/// Returns true if the thread was woken for work.
bool actor_scheduler::sleep(worker& w) {
  w.asleep.store(true);
  threads_.stop_looking(runs_lanes(w));
  if (something_for(w) || stopping_.load()) {
    if (w.asleep.exchange(false)) threads_.look(runs_lanes(w));
    else w.bed.sleep();  // woken meanwhile
    return true;
  }
  if (!is_control(w)) keep_watch();
  return lie_down(w);
}

/// Sleeps until the thread is woken, and returns true. While tasks are pending, or were a moment
/// ago, the control thread looks up now and then, since it is not woken for little.
bool actor_scheduler::lie_down(worker& w) {
  const auto arrivals = threads_.arrivals();
  const bool quiet = std::exchange(w.seen, arrivals) == arrivals;
  if (!is_control(w) || (quiet && !from_.busy())) {
    w.bed.sleep();
    return true;
  }
  w.napping.store(true);
  bool woken = false, others_look = true;
  while (!woken && others_look) {
    const auto nap = std::clamp(std::chrono::microseconds(w.nap), shortest_nap, longest_nap);
    w.nap = static_cast<ticks>(2 * nap.count());
    woken = w.bed.sleep_for(std::min<std::chrono::nanoseconds>(nap, from_.time_left()));
    const auto latest = threads_.arrivals();
    others_look = std::exchange(w.seen, latest) != latest && lane_is_back_soon();
  }
  w.napping.store(false);
  if (woken) return true;
  if (w.asleep.exchange(false)) threads_.look(runs_lanes(w));
  else w.bed.sleep();
  return false;
}

bool actor_scheduler::something_for(const worker& w) const noexcept {
  return control_waits() || (w.slot && w.slot->occupied()) ||
         (runs_lanes(w) && lanes_waiting_.size() > 0);
}

bool actor_scheduler::runs_here() const noexcept { return here_ && here_->scheduler == this; }

void actor_scheduler::leave_to_workers(actor_slot& lane) noexcept {
  workers_[lane.number()].reserved.store(true);
}

bool actor_scheduler::asleep(const actor_slot& lane) const noexcept {
  return workers_[lane.number()].asleep.load(std::memory_order_relaxed);
}

}  // namespace troupe
