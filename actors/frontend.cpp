// SPDX-License-Identifier: MIT
#include "troupe/actors/frontend.hpp"

#include <algorithm>

#include "troupe/actors/actor_scheduler.hpp"
#include "troupe/actors/counted_actor.hpp"
#include "troupe/actors/request_answer.hpp"

namespace troupe {

namespace {

constexpr ticks sample_interval = 50'000;  // about 20 microseconds
// Longest work, in nanoseconds by estimate, that the thread of a client who waits does in place of
// passing it on.
constexpr float short_work = 20'000;

}  // namespace

frontend::frontend(caf::actor_config& config, std::shared_ptr<engine_state> shared,
                   std::vector<caf::actor> dependencies)
    : counted_actor(config, std::move(shared), actor_counters::kind::frontend, "frontend"),
      dependencies_(std::move(dependencies)),
      outgoing_(dependencies_.size()) {}

void frontend::on_exit() {
  dependencies_.clear();
  epochs_.clear();
}

caf::behavior frontend::make_behavior() {
  return {
      [this](await_values& wanted) -> caf::result<caf::message> {
        take_submitted();
        const auto* next = first_pending(wanted);
        if (!next) return answer_to(wanted);
        const auto home = static_cast<std::size_t>(next->home);
        return delegate(dependencies_[home], std::move(wanted));
      },
      [this](await_everything) -> caf::response_promise { return await_end(answer_as::error); },
      [this](await_all) -> caf::result<all_done> { return await_end(answer_as::failures); },
      [this](cancel_tasks) {
        take_submitted();
        shared_->cancelled_through.store(shared_->window.last(), std::memory_order_release);
        for (auto& one : dependencies_) send(one, cancel_tasks{});
      },
      [this](cancel_value& m) -> caf::result<caf::message> {
        take_submitted();
        if (!m.value->pending()) return caf::message();
        const auto home = static_cast<std::size_t>(m.value->home);
        return delegate(dependencies_[home], std::move(m));
      },
      [this](list_tasks) { take_submitted(); },
      [this](const read_trace& wanted) { return trace(wanted.since); },
  };
}

bool frontend::take(caf::type_erased_tuple& message) {
  if (as<tasks_submitted>(message)) {
    take_submitted();
  } else if (const auto* p = as<progress>(message)) {
    note(*p);
    answer_waiting();
  } else {
    return false;
  }
  return true;
}

trace_part frontend::trace(ticks since) const {
  trace_part part;
  for (const auto& c : counters_) {
    if (c.when >= since) part.counters.push_back(c);
  }
  std::sort(part.counters.begin(), part.counters.end(),
            [](auto& a, auto& b) { return a.when < b.when; });
  return part;
}

/// Routes the tasks in the inbox.
void frontend::take_submitted() {
  if (shared_->left.load(std::memory_order_relaxed) > 0)
    shared_->left.store(0, std::memory_order_relaxed);
  std::uint64_t taken = 0;
  float left_for_client = short_work;
  for (auto* t = shared_->submitted.take(); t;) {
    task_ptr one(std::exchange(t, t->next));
    if (actor_scheduler::client_computes() && run_at_once(one, left_for_client)) continue;
    route(std::move(one));
    ++taken;
  }
  shared_->passed_on.fetch_add(taken, std::memory_order_relaxed);
  for (std::size_t d = 0; d < dependencies_.size(); ++d) {
    if (outgoing_[d]) shared_->order->expect(d, static_cast<std::int64_t>(outgoing_[d]->size()));
  }
  for (std::size_t d = 0; d < dependencies_.size(); ++d) {
    if (outgoing_[d]) send(dependencies_[d], order_tasks{std::exchange(outgoing_[d], nullptr)});
  }
  sample_counters();
}

/// Runs a task on the thread of the client who waits, if it is ready and takes less than what is
/// left of that thread's time.
bool frontend::run_at_once(task_ptr& t, float& left) {
  const auto estimate = t->estimate;
  const auto at_once = shared_->run_at_once(t, left, troupe::now());
  if (at_once.ran) left -= estimate;
  if (at_once.why) failures_.add(at_once.why);
  return at_once.ran;
}

void frontend::route(task_ptr t) {
  t->epoch = first_epoch_ + static_cast<std::uint32_t>(epochs_.size() - 1);
  ++epochs_.back().pending;
  auto& to = outgoing_[static_cast<std::size_t>(t->home)];
  if (!to) to = batch_ref(new batch);
  to->push_back(std::move(t));
}

void frontend::note(const progress& p) {
  std::uint64_t ended = 0;
  for (auto [number, count] : p.ended) {
    epochs_[number - first_epoch_].pending -= count;
    ended += count;
  }
  for (const auto& f : p.failures) failures_.add(f);
  shared_->passed_on.fetch_sub(ended, std::memory_order_relaxed);
  shared_->window.leave(ended);
  shared_->gate.look_again();
  sample_counters();
}

/// Ends the epoch; the sender of the current message is answered when all its tasks have ended.
caf::response_promise frontend::await_end(answer_as form) {
  take_submitted();
  auto promise = make_response_promise();
  epochs_.back().waiting.push_back({promise, form});
  epochs_.emplace_back();
  answer_waiting();
  return promise;
}

void frontend::answer_waiting() {
  while (epochs_.size() > 1 && epochs_.front().pending == 0) {
    for (auto& [promise, form] : epochs_.front().waiting) {
      auto [failures, not_kept] = failures_.take();
      if (const auto untold = shared_->failures_not_told.exchange(0)) {
        failures.push_back(failure_without_memory());
        failures.back()->reported = false;  // that of an earlier shortage may have been
        not_kept += untold - 1;
      }
      all_done all{std::move(failures), not_kept};
      if (form == answer_as::failures) promise.deliver(std::move(all));
      else promise.deliver(outcome([&] { raise_first(all.failures, all.not_kept); }));
    }
    epochs_.pop_front();
    ++first_epoch_;
  }
}

void frontend::sample_counters() {
  const auto time = troupe::now();
  if (shared_->trace_capacity == 0 || time - last_sample_ < sample_interval) return;
  last_sample_ = time;
  const counter_sample sample{time, shared_->window.pending(), shared_->live_bytes()};
  if (counters_.size() < shared_->trace_capacity) counters_.push_back(sample);
  else counters_[next_counter_] = sample;
  next_counter_ = (next_counter_ + 1) % shared_->trace_capacity;
}

}  // namespace troupe
