// SPDX-License-Identifier: MIT
#include "troupe/actors/dependency.hpp"

#include <algorithm>
#include <utility>

#include "troupe/actors/counted_actor.hpp"
#include "troupe/actors/help.hpp"
#include "troupe/actors/request_answer.hpp"

namespace troupe {

namespace {

std::string place_of(int home, const engine_state& shared) {
  const auto number = static_cast<std::size_t>(home);
  if (number < shared.devices.size()) return to_string(shared.devices[number]->id());
  return number == shared.home_of_copies() ? "copies" : "deadlines";
}

bool works_on_streams(int home, const engine_state& shared) {
  const auto number = static_cast<std::size_t>(home);
  return number < shared.devices.size() && !shared.devices[number]->id().traits().synchronous;
}

/// Returns true if what a lane has not begun can run on another one. Stepped actors have no
/// scheduler, and their messages must not depend on the clock.
bool may_take_back(int home, const engine_state& shared) {
  const auto number = static_cast<std::size_t>(home);
  return shared.scheduler && number < shared.devices.size() && !works_on_streams(home, shared) &&
         shared.devices[number]->lanes() > 1;
}

}  // namespace

dependency::dependency(caf::actor_config& config, const std::shared_ptr<engine_state>& shared,
                       int home, std::vector<caf::actor> lanes, std::vector<ordering::place> places,
                       int first_lane)
    : counted_actor(config, shared, actor_counters::kind::dependency,
                    "dependency " + place_of(home, *shared)),
      ordering_(home, std::max(1, static_cast<int>(lanes.size())), std::move(places),
                shared_->order,
                may_take_back(home, *shared) ? shared_->statuses_from(first_lane, lanes.size())
                                             : std::span<const lane_status>{}),
      home_(home),
      gives_points_(works_on_streams(home, *shared)),
      first_lane_(first_lane),
      lanes_(std::move(lanes)),
      batches_(lanes_.size()) {
  if (static_cast<std::size_t>(home) == shared_->home_of_timed())
    deadlines_.emplace(shared_->deadlines);
}

void dependency::on_exit() {
  lanes_.clear();
  frontend_ = nullptr;
  dependencies_.clear();
  waiting_.clear();
}

caf::behavior dependency::make_behavior() {
  return {
      [this](const peers& others) {
        frontend_ = others.frontend;
        dependencies_ = others.dependencies;
      },
      [this](const value_resolved& m) {
        ordering_.resolved(*m.value, decisions_);
        act();
      },
      [this](memory_freed) { act(); },
      [this](const came_early& m) {
        ordering_.came_early(*m.run, m.lane);
        act();
      },
      [this](cancel_tasks) {
        ordering_.cancel(decisions_);
        act();
        tell_settled();
      },
      [this](cancel_value& m) {
        cancel(*m.value, m.only_if_unneeded);
        act();
        tell_settled();
      },
      [this](deadline_over) {
        fail_missed();
        act();
        tell_settled();
      },
      [this](list_tasks) {
        task_list all;
        list(all.tasks);
        return all;
      },
      [this](watch& m) {
        waiting_for_value one{
            m.value, caf::actor_cast<caf::actor>(current_sender()), m.point_will_do, {}, {}};
        if (!m.value->pending()) return tell(one);
        waiting_.emplace(m.value->sequence, std::move(one));
        if (const int lane = ordering_.lane_at_work_on(*m.value);
            lane >= 0 && gives_points_ && m.point_will_do)
          return ask_for_points(static_cast<std::size_t>(lane), {m.value->sequence});
        if (m.wanted && ordering_.wanted(*m.value)) act();
      },
      [this](const want& m) {
        if (ordering_.wanted(*m.value)) act();
      },
      [this](await_values& m) -> caf::result<caf::message> {
        value_ref next(first_pending(m));
        if (!next) return answer_to(m);
        if (next->home != home_)
          return delegate(dependencies_[static_cast<std::size_t>(next->home)], std::move(m));
        auto promise = make_response_promise();
        const auto sequence = next->sequence;
        const bool hurried = ordering_.wanted(*next);
        waiting_.emplace(sequence,
                         waiting_for_value{std::move(next), nullptr, false, promise, std::move(m)});
        if (hurried) act();
        return promise;
      },
  };
}

bool dependency::take(caf::type_erased_tuple& message) {
  if (auto* given = as<order_tasks>(message)) {
    while (auto t = given->tasks->pop_front()) {
      if (deadlines_) deadlines_->add(*t);
      ordering_.add(std::move(t));
    }
  } else if (auto* ended = as<tasks_done>(message)) {
    while (auto t = ended->tasks->pop_front()) ordering_.finished(std::move(t), decisions_);
  } else {
    return false;
  }
  act();
  return true;
}

void dependency::list(std::vector<task_state>& out) const {
  ordering_.list(out, shared_->statuses_from(first_lane_, lanes_.size()), first_lane_);
}

void dependency::act() {
  ordering_.release(decisions_);
  if (deadlines_) share_inputs();
  dispatch();
  report_ended();
  if (decisions_.others_look) {
    for (auto& one : dependencies_) send(one, memory_freed{});
  }
  decisions_.clear();
}

/// Sends the decisions: to each lane its tasks, in order.
void dependency::dispatch() {
  for (auto& one : decisions_.watches) {
    const auto home = static_cast<std::size_t>(one.value->home);
    const bool timed = deadlines_.has_value();
    send(dependencies_[home], watch{std::move(one.value), one.wanted || timed, !timed});
  }
  for (auto& v : decisions_.wants) {
    const auto home = static_cast<std::size_t>(v->home);
    send(dependencies_[home], want{std::move(v)});
  }
  for (auto& v : decisions_.unneeded) {
    const auto home = static_cast<std::size_t>(v->home);
    send(dependencies_[home], cancel_value{std::move(v), true});
  }
  send_tasks();
  send_helps();
  if (decisions_.lanes_look) let_lanes_look();
}

/// Lets lanes look for tasks that are to be cancelled: those of streams do not look by themselves.
void dependency::let_lanes_look() {
  shared_->cancellations.fetch_add(1, std::memory_order_release);
  if (!gives_points_) return;
  for (const auto& one : lanes_) send(one, look_for_cancelled{});
}

void dependency::send_tasks() {
  for (auto& r : decisions_.releases) {
    auto& tasks = batches_[static_cast<std::size_t>(r.lane)];
    if (!tasks) {
      tasks = batch_ref(new batch);
      told_.push_back(static_cast<std::size_t>(r.lane));
    }
    tasks->push_back(task_ptr(r.task));
  }
  for (const auto lane : told_) {
    auto tasks = std::exchange(batches_[lane], nullptr);
    std::vector<std::uint64_t> numbers;
    if (gives_points_ && !waiting_.empty()) {
      for (const auto* t = tasks->front(); t; t = t->next) numbers.push_back(t->sequence);
    }
    const assignment_ref sent(new assignment(std::move(tasks)));
    ordering_.sent(static_cast<int>(lane), sent);
    send(lanes_[lane], run_tasks{sent});
    ask_for_points(lane, numbers);
  }
  told_.clear();
}

/// Asks lanes to help: those that help with the same tasks in one round.
void dependency::send_helps() {
  auto& helps = decisions_.helps;
  for (auto first = helps.begin(); first != helps.end();) {
    const auto plan = std::make_shared<help_plan>();
    for (const int lane : first->lanes)
      plan->helpers.push_back(lanes_[static_cast<std::size_t>(lane)]);
    auto last = first;
    for (; last != helps.end() && last->lanes == first->lanes; ++last)
      plan->runs.push_back(std::move(last->run));
    pass_on(help_run{plan, 0}, ctrl());
    first = last;
  }
}

/// Ends timed tasks whose inputs have settled: no lane is needed for that.
void dependency::share_inputs() {
  while (!decisions_.releases.empty()) {
    for (const auto& r : std::exchange(decisions_.releases, {})) {
      share_input(*r.task);
      ordering_.finished(task_ptr(r.task), decisions_);
    }
    ordering_.release(decisions_);
  }
}

/// Fails timed tasks whose inputs are still pending at their deadlines.
void dependency::fail_missed() {
  if (!deadlines_) return;
  while (auto* t = deadlines_->take_missed()) {
    if (t->stage == task_stage::waiting && t->inputs[0].source->pending())
      ordering_.give_up(*t, text_of_missed(t->attributes.as<deadline>()), failure::reason::failed,
                        decisions_);
  }
}

/// Cancels the task of a value, and what only it needs. Requests of other dependency actors for
/// values do not count as needing them: tasks there do that themselves.
void dependency::cancel(const value& v, bool only_if_unneeded) {
  const auto own = [&](const value& of) {
    std::uint32_t count = only_if_unneeded && &of == &v;  // that of the message
    const auto [first, last] = waiting_.equal_range(of.sequence);
    for (auto one = first; one != last; ++one)
      count += one->second.dependency && one->second.value.get() == &of;
    return count;
  };
  ordering_.cancel(v, only_if_unneeded, own, decisions_);
  if (only_if_unneeded) ordering_.wanted(v);  // if it is still pending, others need it
}

/// Notifies waiters of finished values and reports progress to the frontend.
void dependency::report_ended() {
  if (decisions_.ended.empty()) return;
  progress p;
  batch_ref dropped;
  for (auto& t : decisions_.ended) {
    if (p.ended.empty() || p.ended.back().first != t->epoch) p.ended.emplace_back(t->epoch, 0);
    ++p.ended.back().second;
    if (t->origin && t->origin->why == failure::reason::failed)
      p.failures.push_back(std::move(t->origin));
    if (!waiting_.empty()) tell_waiting(t->sequence);
    if (deadlines_) deadlines_->remove(*t);
    if (t->attributes.own_something()) {
      if (!dropped) dropped = batch_ref(new batch);
      dropped->push_back(std::move(t));
    }
  }
  // Small tasks fill the first lane first, and what they captured may be slow to end.
  if (dropped) send(lanes_.back(), drop_tasks{std::move(dropped)});
  send(frontend_, std::move(p));
}

/// Asks a GPU's lane to answer the dependency actors that wait for results of these tasks: a stream
/// point is enough for them.
void dependency::ask_for_points(std::size_t lane, const std::vector<std::uint64_t>& tasks) {
  for (const auto sequence : tasks) {
    const auto [first, last] = waiting_.equal_range(sequence);
    for (auto one = first; one != last;) {
      auto& waiting = one->second;
      if (!waiting.dependency || !waiting.point_will_do) {
        ++one;
        continue;
      }
      send(lanes_[lane], await_point{std::move(waiting.value), std::move(waiting.dependency)});
      one = waiting_.erase(one);
    }
  }
}

void dependency::tell_waiting(std::uint64_t sequence) {
  const auto [first, last] = waiting_.equal_range(sequence);
  for (auto one = first; one != last; ++one) tell(one->second);
  waiting_.erase(first, last);
}

/// Tells those who wait for values that have settled before their tasks could be reported.
void dependency::tell_settled() {
  for (auto one = waiting_.begin(); one != waiting_.end();) {
    if (one->second.value->pending()) {
      ++one;
    } else {
      tell(one->second);
      one = waiting_.erase(one);
    }
  }
}

void dependency::tell(waiting_for_value& one) {
  if (one.dependency) return send(one.dependency, value_resolved{std::move(one.value)});
  // The next of its values may well be ready by the time its owner, perhaps this actor, is asked.
  if (const auto* next = first_pending(one.request))
    one.client.delegate(dependencies_[static_cast<std::size_t>(next->home)],
                        std::move(one.request));
  else one.client.deliver(answer_to(one.request));
}

}  // namespace troupe
