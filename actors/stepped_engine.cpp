// SPDX-License-Identifier: MIT
#include "troupe/actors/stepped_engine.hpp"

#include <algorithm>
#include <utility>

#include <caf/atom.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include "troupe/actors/dependency.hpp"
#include "troupe/actors/message_text.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe {

namespace {

constexpr std::size_t trace_capacity = 16'384;
constexpr std::uint64_t no_bound = ~std::uint64_t{0};  // no limit on pending tasks

caf::actor_system_config& set_up(caf::actor_system_config& config) {
  config.set("scheduler.policy", caf::atom("testing"));
  return config;
}

/// Returns a count if it is one that an engine in slow motion can have.
int checked(int count, const char* of) {
  constexpr int most = 64;
  if (count < 1 || count > most)
    throw error("stepped_engine: " + std::to_string(count) + ' ' + of + ", not from 1 to " +
                    std::to_string(most),
                {});
  return count;
}

/// Returns the actor object itself; no other thread runs it.
template <class Role>
Role& in_person(const caf::actor& one) {
  return dynamic_cast<Role&>(*caf::actor_cast<caf::abstract_actor*>(one));
}

task_state describe_submitted(const task& t) {
  task_state s;
  s.name = t.op->name;
  s.device = t.device;
  s.call_site = t.call_site;
  s.estimate = t.estimate;
  for (const auto& out : t.outputs) s.outputs.push_back(out->type());
  for (const auto& in : t.inputs) {
    if (in.source && in.source->pending()) s.waits_for.push_back(in.source->sequence);
  }
  std::ranges::sort(s.waits_for);
  s.waits_for.erase(std::ranges::unique(s.waits_for).begin(), s.waits_for.end());
  return s;
}

}  // namespace

/// Flag that memory was freed, kept until the next step.
class stepped_engine::freed_flag final : public memory_listener {
 public:
  void freed() noexcept override { freed_.store(true); }
  bool take() noexcept { return freed_.exchange(false); }

 private:
  std::atomic<bool> freed_ = false;
};

stepped_engine::stepped_engine(int lanes, int cpu_devices, std::size_t memory_limit)
    : engine(make_cpu_drivers(
                 {checked(cpu_devices, "CPU devices"), checked(lanes, "lanes"), memory_limit}),
             found::by_choice),
      state_(std::make_shared<engine_state>(engine::devices(), memory_limit, no_bound,
                                            trace_capacity)),
      system_(set_up(config_)),
      scheduler_(dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler())) {
  state_->listening = this;
  actors_ = spawn_actors(system_, state_);
  scheduler_.run();  // delivers the `peers` messages
  for (const auto& one : engine::devices())
    one->memory()->set_listener(freed_.emplace_back(std::make_shared<freed_flag>()));
}

stepped_engine::~stepped_engine() {
  retire();
  while (move()) {}
  for (const auto& one : engine::devices()) one->memory()->set_listener(nullptr);
  state_->listening = nullptr;
  actors_.quit();
  scheduler_.run();
  actors_ = {};
}

void stepped_engine::submit(task_ptr t) {
  auto state = describe_submitted(*t);
  std::lock_guard lock(mutex_);
  if (state_->window.pending() == 0) submissions_.clear();
  if (state_->submit(std::move(t), false)) submitted_ = true;
  state.submitted = now();
  const auto sequence = state_->window.last();
  state.sequence = sequence;
  submissions_.emplace(sequence, submission{std::move(state)});
}

/// Puts what clients left into mailboxes.
void stepped_engine::post_pending() {
  if (state_->deadlines.take_over())
    caf::anon_send(actors_.dependencies[state_->home_of_timed()], deadline_over{});
  if (submitted_.exchange(false)) caf::anon_send(actors_.frontend, tasks_submitted{});
  for (std::size_t d = 0; d < freed_.size(); ++d) {
    if (freed_[d]->take()) {
      for (const auto* one :
           {&actors_.dependencies[d], &actors_.dependencies[state_->home_of_copies()]})
        caf::anon_send(*one, memory_freed{});
    }
  }
}

/// Lets one actor handle one message, which is then in `last_`; returns false if there was none.
bool stepped_engine::move() {
  post_pending();
  last_.reset();
  while (!last_ && scheduler_.has_job()) scheduler_.run_once();
  return last_.has_value();
}

std::optional<delivery> stepped_engine::step() {
  refuse_while_working("step");
  move();
  return std::exchange(last_, std::nullopt);
}

void stepped_engine::heard(const actor_counters& by, caf::mailbox_element& message) {
  std::lock_guard lock(mutex_);
  auto& content = message.content();
  if (content.match_elements<order_tasks>()) {
    for (const auto* t = content.get_as<order_tasks>(0).tasks->front(); t; t = t->next) {
      if (const auto one = submissions_.find(t->sequence); one != submissions_.end())
        one->second.arrived = true;
    }
  }
  const auto name = [this](std::uint64_t sequence) {
    const auto one = submissions_.find(sequence);
    return one == submissions_.end() ? std::string_view("value") : one->second.state.name;
  };
  last_ = delivery{sender_of(message), by.name, message_text(content, name)};
}

std::string stepped_engine::sender_of(caf::mailbox_element& message) const {
  if (message.sender) {
    for (const auto& one : state_->counters) {
      if (one->id == message.sender->id()) return one->name;
    }
  }
  return message.content().match_elements<memory_freed>() ? "memory" : "client";
}

/// Sends a question and steps until the answer has arrived; with `alone`, only the frontend is
/// stepped.
template <class Message, class F>
void stepped_engine::ask_frontend(Message question, F&& on_answer, bool alone) {
  caf::scoped_actor self{system_};
  auto answer = self->request(actors_.frontend, caf::infinite, std::move(question));
  while (self->mailbox().empty()) {
    if (alone) scheduler_.prioritize(actors_.frontend);
    if (!move()) break;
  }
  answer.receive(std::forward<F>(on_answer), [](const caf::error&) {});
}

bool stepped_engine::wait(const value_ref& v, const wait_limit& limit) {
  while (v->pending() && !limit.reached() && move()) {}
  return !v->pending();
}

void stepped_engine::wait_all() {
  refuse_while_working("wait_all");
  while (move()) {}
  all_done all;
  ask_frontend(
      await_all{}, [&](all_done& answer) { all = std::move(answer); }, false);
  raise_first(all.failures, all.not_kept);
}

void stepped_engine::cancel_all() {
  refuse_while_working("cancel_all");
  ask_frontend(
      cancel_tasks{}, [] {}, true);
}

void stepped_engine::cancel(const value_ref& v) {
  refuse_while_working("cancel");
  ask_frontend(
      cancel_value{v}, [] {}, false);
}

trace_log stepped_engine::trace(ticks since) {
  refuse_while_working("trace");
  trace_log log;
  log.lanes = actors_.lane_names;
  const auto add = [&](const caf::actor& one) {
    const auto part = in_person<counted_actor>(one).trace(since);
    log.events.insert(log.events.end(), part.events.begin(), part.events.end());
    log.counters.insert(log.counters.end(), part.counters.begin(), part.counters.end());
  };
  for (const auto& one : actors_.lanes) add(one);
  add(actors_.frontend);
  std::ranges::sort(log.events, {}, &task_event::started);
  return log;
}

std::vector<task_state> stepped_engine::tasks() {
  refuse_while_working("tasks");
  std::vector<task_state> all;
  for (const auto& one : actors_.dependencies) in_person<dependency>(one).list(all);
  std::lock_guard lock(mutex_);
  for (const auto& [sequence, one] : submissions_) {
    if (!one.arrived) all.push_back(one.state);
  }
  std::ranges::sort(all, {}, &task_state::sequence);
  // An input that was pending when a task was submitted may have ended before the task arrived.
  for (auto& s : all)
    std::erase_if(s.waits_for, [&](std::uint64_t sequence) {
      return !std::ranges::binary_search(all, sequence, {}, &task_state::sequence);
    });
  return all;
}

}  // namespace troupe
