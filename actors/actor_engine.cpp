// SPDX-License-Identifier: MIT
#include "troupe/actors/actor_engine.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

#include <caf/send.hpp>

#include "troupe/actors/clean_thread.hpp"
#include "troupe/actors/client_rhythm.hpp"
#include "troupe/actors/letter_box.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/library_thread.hpp"
#include "troupe/tasks/reads.hpp"
#include "troupe/tasks/wait_watch.hpp"

namespace troupe {

namespace {

using part = actor_scheduler::part;

// Time for which a client looks for work, or for the end of a short task, before it sleeps: being
// woken costs as much. About 100 microseconds for a short task, else 10.
constexpr ticks spin_for_short = 250'000, spin_for_long = 25'000;
constexpr float short_result = 50'000;  // nanoseconds
// Time after which a task may be taking longer than it should. About a millisecond.
constexpr ticks long_run = 2'500'000;

/// Client of an engine: the calling thread, and how it has submitted and read so far.
struct client {
  std::uint32_t engine = 0, reads = 0;
  std::uint64_t passed_on = 0;  ///< tasks that had entered, of all clients, with its last one
  client_rhythm rhythm;
};

thread_local constinit client here;

/// Listener that tells dependency actors, and clients that bring data, when memory was freed.
class freed_memory_notifier final : public memory_listener {
 public:
  freed_memory_notifier(std::shared_ptr<engine_state> state, std::vector<caf::actor> wanting)
      : state_(std::move(state)), wanting_(std::move(wanting)) {}
  void freed() noexcept override {
    const bookkeeping books;
    state_->gate.look_again();
    for (const auto& one : wanting_) caf::anon_send(one, memory_freed{});
  }

 private:
  std::shared_ptr<engine_state> state_;
  std::vector<caf::actor> wanting_;
};

/// Returns how many threads may be at work at the same time: one for each lane of this machine's
/// devices, where there are cores.
int cores_to_use(const drivers& devices) {
  int lanes = 0;
  for (const auto& one : devices) {
    if (one->id().node == 0) lanes += one->lanes();
  }
  return std::clamp(lanes, 1, available_cores());
}

caf::actor_system_config& with(actor_scheduler& scheduler, caf::actor_system_config& config) {
  scheduler.install(config);
  return config;
}

}  // namespace

bool actor_engine::clients::call() {
  const bookkeeping books;  // what clients have left is not to stay there
  const bool over = state_.deadlines.take_over();
  if (over) caf::anon_send(actors_.dependencies[state_.home_of_timed()], deadline_over{});
  const bool submitted = !state_.submitted.empty() && state_.submitted.call();
  if (submitted) caf::anon_send(actors_.frontend, tasks_submitted{});
  return over || submitted;
}

int actor_engine::clients::watch_lanes() {
  const bookkeeping books;  // a shortage of memory is no reason to end the program
  int first = 0, called = 0;
  for (std::size_t d = 0; d < state_.devices.size(); ++d) {
    const int lanes = state_.devices[d]->lanes();
    const auto statuses = state_.statuses_from(first, static_cast<std::size_t>(lanes));
    first += lanes;
    if (std::ranges::any_of(statuses, [time = now()](const lane_status& one) {
          const auto current = one.read();
          return current.running && time > current.since + long_run;
        })) {
      caf::anon_send(actors_.dependencies[d], memory_freed{});
      ++called;
    }
  }
  return called;
}

actor_engine::stage::stage(const std::shared_ptr<engine_state>& state, int cores)
    : source(*state, actors), scheduler(cores, source), system(with(scheduler, config)) {
  state->scheduler = &scheduler;
  try {
    spawn_actors(system, state, actors);
    scheduler.start();
  } catch (...) {
    actors.quit();
    actors = {};
    scheduler.run_here();
    throw;
  }
}

actor_engine::stage::~stage() {
  actors.quit();
  actors = {};
}

actor_engine::actor_engine(drivers devices, memory_bound limit, std::uint64_t most_pending,
                           std::size_t trace_capacity)
    : engine(std::move(devices)),
      state_(
          std::make_shared<engine_state>(engine::devices(), limit, most_pending, trace_capacity)) {
  bind_to_process();
  const clean_thread_scope scope;
  stage_ = std::make_unique<stage>(state_, cores_to_use(engine::devices()));
  const auto& dependencies = stage_->actors.dependencies;
  for (std::size_t d = 0; d < engine::devices().size(); ++d) {
    const std::vector<caf::actor> wanting{dependencies[d], dependencies[state_->home_of_copies()]};
    engine::devices()[d]->memory()->set_listener(
        std::make_shared<freed_memory_notifier>(state_, wanting));
  }
}

actor_engine::~actor_engine() {
  if (stayed_behind()) {
    (void)stage_.release();
    // Its locks may be held for ever.
    new (std::nothrow) std::shared_ptr<engine_state>(std::move(state_));
    return;
  }
  const clean_thread_scope scope;
  const wait_watch nothing_ends_this_wait(nullptr);
  retire();
  std::vector<failure_ptr> failures;
  std::uint64_t not_kept = 0;
  do {  // operations may have submitted more tasks
    auto all = await_all_ended();
    std::ranges::move(all.failures, std::back_inserter(failures));
    not_kept += all.not_kept;
  } while (state_->window.pending() > 0);
  for (auto& one : engine::devices()) one->memory()->set_listener(nullptr);
  stage_ = nullptr;
  tell_unread(std::move(failures), not_kept);
}

bool actor_engine::outlives_runtime() const noexcept { return stage_->scheduler.runs_here(); }

void actor_engine::submit(task_ptr t) {
  const auto guess = std::exchange(t->estimate, state_->costs.expected(*t));
  if (!working_scope::active()) {
    const auto at_once = run_here(t, guess);
    if (at_once.why) report_failure(at_once.why);
    if (at_once.ran) return;
  }
  const bool calls = state_->submit(std::move(t), !working_scope::active());
  if (!working_scope::active()) here.passed_on = state_->window.entered();
  if (calls) stage_->source.call();
}

/// Runs a task on the calling thread, which submits it, if it is ready and that is quicker. `guess`
/// is its estimate without what was learned.
engine_state::ran_at_once actor_engine::run_here(task_ptr& t, float guess) {
  auto time = now();
  const auto estimate = t->estimate;
  const auto way = way_of(*t, guess, time);
  if (estimate <= callers_lane::short_task)
    return state_->run_at_once(t, callers_lane::short_task, time);
  if (way == client_rhythm::way::passing_on || !stage_->scheduler.take_core()) return {};
  const auto ran = state_->run_at_once(t, estimate, time, way == client_rhythm::way::jointly);
  stage_->scheduler.give_core();
  if (ran.shared) here.rhythm.joined();
  return ran;
}

/// Returns the way in which the calling thread should have all that it submits computed, this task
/// as well. Moves the time on if that takes some.
client_rhythm::way actor_engine::way_of(const task& t, float guess, ticks& time) const {
  auto& rhythm = here.rhythm;
  if (here.engine != id()) here = {.engine = id(), .rhythm = {}};
  if (here.reads != reads::count()) begin_interval(time);
  constexpr auto endless = std::numeric_limits<float>::infinity();
  if (!t.device.traits().synchronous) return rhythm.submits(endless, endless);
  return rhythm.submits(guess, t.estimate);
}

/// Notes that the calling thread has read a value.
void actor_engine::begin_interval(ticks& time) const {
  auto& rhythm = here.rhythm;
  here.reads = reads::count();
  rhythm.begin(time);
  if (rhythm.begins_jointly()) state_->callers.expect_others(time);
  if (rhythm.computes() && !state_->window.has_seen(here.passed_on)) {
    catch_up(time + rhythm.last());
    time = now();
  }
}

/// Takes part in what the calling thread has passed on before, until that time at most: what needs
/// it could not be computed at once.
void actor_engine::catch_up(ticks end) const {
  stage_->scheduler.take_part(
      [&] { return state_->window.has_seen(here.passed_on) || now() > end; }, spin_for_short);
}

/// Tells the frontend of a failure, for `wait_all`. The calling thread may be the one that could
/// give memory back: it does not wait for some.
void actor_engine::report_failure(const failure_ptr& why) {
  try {
    caf::anon_send(stage_->actors.frontend, progress{{}, {why}});
  } catch (const std::bad_alloc&) { state_->failures_not_told.fetch_add(1); }
}

bool actor_engine::wait(const value_ref& v, const wait_limit& limit) {
  const auto there = [&] { return !v->pending(); };
  if (there()) return true;
  // A lane's task may take longer than this thread is to wait. A thread that tells others leaves
  // lanes their work: handing that over, and back, each time takes longer.
  const bool may_give_up = !limit.endless() || wait_watch::here();
  const auto extent = may_give_up || on_library_thread ? part::control_only : part::lanes;
  stage_->scheduler.take_part([&] { return there() || limit.reached(); },
                              v->estimate < short_result ? spin_for_short : spin_for_long, extent,
                              v.get());
  if (!there()) say_wanted(v);
  return v->wait(limit);
}

/// Tells the dependency actor of a value that a thread waits for it: no other reader may need it
/// yet.
void actor_engine::say_wanted(const value_ref& v) {
  const bookkeeping books;
  caf::anon_send(stage_->actors.dependencies[static_cast<std::size_t>(v->home)], want{v});
}

/// Asks an actor and waits for its answer.
template <class Answer, class Message>
Answer actor_engine::ask(const caf::actor& whom, Message&& request) {
  letter_box box(stage_->system);
  box.ask(whom, std::forward<Message>(request));
  stage_->scheduler.take_part([&] { return box.arrived(); }, spin_for_short, part::control_only);
  box.wait();
  return box.take<Answer>().value_or(Answer{});
}

all_done actor_engine::await_all_ended() {
  if (state_->window.pending() > 0)
    stage_->scheduler.take_part([this] { return state_->window.pending() == 0; }, spin_for_short);
  return ask<all_done>(stage_->actors.frontend, await_all{});
}

void actor_engine::wait_all() {
  refuse_while_working("wait_all");
  refuse_if_stayed_behind("wait_all");
  reads::note(id(), state_->window.last());
  auto all = await_all_ended();
  raise_first(all.failures, all.not_kept);
}

void actor_engine::cancel_all() {
  refuse_if_stayed_behind("cancel_all");
  // The answer comes before anything else is computed, so it marks the boundary: tasks submitted
  // from now on are not cancelled.
  letter_box box(stage_->system);
  box.ask(stage_->actors.frontend, cancel_tasks{});
  stage_->scheduler.take_part([&] { return box.arrived(); }, spin_for_short, part::control_only);
  box.wait();
}

void actor_engine::cancel(const value_ref& v) {
  letter_box box(stage_->system);
  box.ask(stage_->actors.frontend, cancel_value{v});
  stage_->scheduler.take_part([&] { return box.arrived(); }, spin_for_short, part::control_only);
  box.wait();
}

std::vector<task_state> actor_engine::tasks() {
  refuse_while_working("tasks");
  refuse_if_stayed_behind("tasks");
  std::vector<task_state> all;
  letter_box passed_on(stage_->system);
  passed_on.ask(stage_->actors.frontend, list_tasks{});
  passed_on.wait();
  for (const auto& one : stage_->actors.dependencies)
    std::ranges::move(ask<task_list>(one, list_tasks{}).tasks, std::back_inserter(all));
  std::ranges::sort(all, {}, &task_state::sequence);
  return all;
}

trace_log actor_engine::trace(ticks since) {
  refuse_while_working("trace");
  refuse_if_stayed_behind("trace");
  trace_log log;
  log.lanes = stage_->actors.lane_names;
  auto at_once = state_->callers.trace(since);
  if (!at_once.events.empty()) log.lanes.emplace_back(callers_lane::name);
  log.events = std::move(at_once.events);
  log.partial = at_once.partial;
  const auto add = [&](const caf::actor& whom) {
    auto part = ask<trace_part>(whom, read_trace{since});
    for (auto& e : part.events) {
      if (e.lane >= 0) continue;
      const auto& name = part.lanes_elsewhere[static_cast<std::size_t>(-1 - e.lane)];
      auto known = std::ranges::find(log.lanes, name);
      if (known == log.lanes.end()) known = log.lanes.insert(known, name);
      e.lane = static_cast<std::int16_t>(known - log.lanes.begin());
    }
    log.events.insert(log.events.end(), part.events.begin(), part.events.end());
    log.partial = log.partial || part.partial;
    log.counters.insert(log.counters.end(), part.counters.begin(), part.counters.end());
  };
  for (auto& one : stage_->actors.lanes) add(one);
  add(stage_->actors.frontend);
  std::ranges::sort(log.events, {}, &task_event::started);
  return log;
}

}  // namespace troupe
