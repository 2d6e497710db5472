// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/pictures/known_tasks.hpp"

#include <algorithm>

#include "troupe/apps/shell/session/progress.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

void add_once(std::vector<std::uint64_t>& to, std::uint64_t sequence) {
  if (sequence != 0 && std::find(to.begin(), to.end(), sequence) == to.end())
    to.push_back(sequence);
}

const task_state* find(const std::vector<task_state>& all, std::uint64_t sequence) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const task_state& t) { return t.sequence == sequence; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

known_tasks::known_tasks(session& s, const tensor& asked) : session_(s) {
  // A pending task says what it waits for, and not what it waited for: so they are asked before the
  // trace, which waits for what the lanes are doing, and after it.
  const auto before = s.engine().tasks();
  add_pending(before);
  add_trace();
  pending_ = s.engine().tasks();
  add_pending(pending_);
  if (std::any_of(before.begin(), before.end(),
                  [this](const task_state& t) { return has_vanished(t); }))
    add_trace();
  for (const auto name : s.variables().names()) {
    if (const auto* array = std::get_if<tensor>(s.variables().find(name))) add_failure(*array);
  }
  add_failure(asked);
  pass_on_failures();
}

/// Returns true if a pending task has ended since the trace was read.
bool known_tasks::has_vanished(const task_state& t) const {
  return tasks_.at(t.sequence).lanes == 0 && !find(pending_, t.sequence);
}

void known_tasks::add_pending(const std::vector<task_state>& tasks) {
  for (const auto& t : tasks) {
    auto& one = tasks_[t.sequence];
    one.operation = t.name;
    one.call_site = t.call_site;
    for (const auto input : t.waits_for) add_once(one.inputs, input);
  }
}

void known_tasks::add_trace() {
  auto log = session_.engine().trace();
  lanes_ = std::move(log.lanes);
  for (auto& [sequence, one] : tasks_) one.lanes = 0;
  for (const auto& e : log.events) add_event(e);
}

void known_tasks::add_event(const task_event& e) {
  auto& one = tasks_[e.sequence];
  if (one.lanes++ == 0) {
    one.operation = e.name;
    one.call_site = e.call_site;
    one.inputs.clear();
    for (const auto input : e.inputs) add_once(one.inputs, input);
    one.lane = e.lane;
    one.started = e.started;
    one.ended = e.ended;
  }
  one.started = std::min(one.started, e.started);
  one.ended = std::max(one.ended, e.ended);
  one.failed = one.failed || e.failed;
}

void known_tasks::add_failure(const tensor& x) {
  if (!x.defined() || !x.failed() || x.source()->engine != session_.engine().engine().id()) return;
  const auto& why = *x.source()->why();
  failures_.insert_or_assign(x.source()->sequence, cause{why.sequence, why.why});
}

/// Marks tasks that read a failed result as failed for the same reason.
void known_tasks::pass_on_failures() {
  for (const auto& [sequence, one] : tasks_) {  // inputs have lower numbers
    if (one.failed) failures_.try_emplace(sequence, cause{sequence, failure::reason::failed});
    for (const auto input : one.inputs) {
      if (const auto found = failures_.find(input); found != failures_.end() && one.lanes > 0)
        failures_.try_emplace(sequence, found->second);
    }
  }
}

const std::vector<std::uint64_t>& known_tasks::inputs(std::uint64_t sequence) const {
  static const std::vector<std::uint64_t> none;
  const auto found = tasks_.find(sequence);
  return found == tasks_.end() ? none : found->second.inputs;
}

std::string known_tasks::label(std::uint64_t sequence) const {
  if (sequence == 0) return "an array of given elements";
  const auto name = session_.name_of(sequence);
  const auto found = tasks_.find(sequence);
  if (found == tasks_.end()) return name.empty() ? "task " + std::to_string(sequence) : name;
  const std::string operation(found->second.operation);
  return name.empty() ? operation + ", " + place_text(found->second.call_site)
                      : name + " = " + operation;
}

std::string known_tasks::failure_state(std::uint64_t sequence, const cause& c) const {
  const std::string what = c.why == failure::reason::cancelled ? "cancelled" : "failed";
  return what + (c.sequence == sequence ? "" : " because of " + label(c.sequence));
}

std::string known_tasks::state(std::uint64_t sequence) const {
  if (sequence == 0) return "no task computed it";
  if (const auto failed = failures_.find(sequence); failed != failures_.end())
    return failure_state(sequence, failed->second);
  if (const auto* pending = find(pending_, sequence))
    return progress_text(session_, *pending, pending_);
  const auto found = tasks_.find(sequence);
  if (found == tasks_.end() || found->second.lanes == 0) return "done, and no longer in the trace";
  const auto& one = found->second;
  return "ran " + duration_text(seconds_between(one.started, one.ended)) + " on " +
         (one.lanes == 1 ? lanes_[static_cast<std::size_t>(one.lane)]
                         : count_text(static_cast<std::size_t>(one.lanes), "lane"));
}

}  // namespace troupe::shell
