// SPDX-License-Identifier: MIT
#include "troupe/actors/copy.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "troupe/tasks/execution.hpp"
#include "troupe/tasks/fault_injector.hpp"

namespace troupe {

copy::copy(caf::actor_config& config, std::shared_ptr<engine_state> shared, int number,
           std::shared_ptr<driver> end, what copied)
    : counted_actor(config, std::move(shared), actor_counters::kind::lane, name_of(*end, copied)),
      end_(std::move(end)),
      copied_(copied),
      streams_(shared_->devices.size()),
      report_(*this, number, *shared_) {}

std::string copy::name_of(const driver& end, what copied) {
  static constexpr const char* words[] = {"copy to ", "copy from ", "copy behind "};
  return words[static_cast<std::size_t>(copied)] + to_string(end.id());
}

caf::behavior copy::make_behavior() {
  return {
      [this](run_tasks& m) {
        report_.begin(current_sender());
        const auto tasks = m.tasks->take();
        while (auto t = tasks->pop_front()) run(std::move(t));
        end_begun();
      },
      [](const drop_tasks&) {},
      [this](const read_trace& wanted) {
        end_begun();
        return trace(wanted.since);
      },
  };
}

std::size_t copy::number_of(device d) const noexcept {
  std::size_t i = 0;
  while (shared_->devices[i]->id() != d) ++i;
  return i;
}

/// Returns the number of the device whose stream copies.
std::size_t copy::number_of_way(const task& t) const noexcept {
  const auto source = t.inputs[0].source->device;
  return number_of(copied_ == what::behind_gpu ? source : way_between(source, t.device));
}

stream& copy::stream_for(const task& t) {
  const auto i = number_of_way(t);
  if (!streams_[i]) streams_[i] = shared_->devices[i]->open_stream();
  return *streams_[i];
}

/// Moves the data and returns when the transfer ran.
interval copy::move(task& t) noexcept {
  try {
    auto& on = stream_for(t);
    return stream_transfer(t, *shared_->devices[number_of(t.device)], on);
  } catch (...) {
    t.inputs[0].source->wait();  // a failure of the input takes precedence
    if (!fails_from_the_start(t)) fail_with_current_exception(t);
  }
  return {};
}

/// Puts a copy on its stream without waiting for it.
void copy::begin(task_ptr t) {
  begun one{std::move(t), {}, troupe::now(), nullptr};
  one.event = describe(*one.task);
  try {
    auto& on = stream_for(*one.task);
    one.point = begin_transfer(*one.task, *shared_->devices[number_of(one.task->device)], on);
  } catch (...) {
    if (!fails_from_the_start(*one.task)) fail_with_current_exception(*one.task);
  }
  if (one.point) {
    begun_.push_back(std::move(one));
    if (begun_.size() >= most_begun_) end_first();
  } else {
    report_.resume(one.since);
    report_.ran(one.event, troupe::now(), one.task->origin != nullptr);
    report_.ended(std::move(one.task));
  }
}

/// Waits for the oldest copy on a stream and settles it.
void copy::end_first() {
  auto first = std::move(begun_.front());
  begun_.pop_front();
  try {
    if (!first.point->reached()) report_.send();
  } catch (const std::exception&) {}  // waiting for the point throws again
  const auto until = end_transfer(*first.task, *first.point);
  // The stream copies one after the other.
  report_.resume(std::max(first.since, last_end_));
  last_end_ = until;
  report_.ran(first.event, until, first.task->origin != nullptr);
  report_.ended(std::move(first.task));
}

void copy::end_all() {
  while (!begun_.empty()) end_first();
  report_.send();
}

/// Ends copies until there are others to begin.
void copy::end_begun() {
  while (!begun_.empty() && mailbox().empty()) end_first();
  if (scheduler()) scheduler()->about_to_look();
  report_.send();
}

void copy::run(task_ptr t) {
  if (t->inputs[0].source->pending()) end_all();  // one of them may be what it reads
  report_.before(*t);
  sleep_if_late(*t, &shared_->cancelled_through);
  if (shared_->dismisses(*t)) {
    t->fail("cancelled", failure::reason::cancelled);
  } else if (const auto way = shared_->devices[number_of_way(*t)]->id();
             copied_ != what::behind_gpu && !way.traits().synchronous) {
    return begin(std::move(t));
  } else {
    auto event = describe(*t);
    // Clients waiting for earlier copies need not wait for the GPU.
    if (copied_ == what::behind_gpu) report_.send();
    const auto when = move(*t);
    report_.resume(when.since);
    report_.ran(event, when.until, t->origin != nullptr);
  }
  report_.ended(std::move(t));
}

}  // namespace troupe
