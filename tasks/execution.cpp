// SPDX-License-Identifier: MIT
#include "troupe/tasks/execution.hpp"

#include <unistd.h>

#include <exception>
#include <new>

#include "troupe/tasks/default_float_environment.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/forks.hpp"
#include "troupe/tasks/library_thread.hpp"
#include "troupe/tasks/task_stream.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

/// Ends a child of `fork` that leaves an operation of the user's own: the threads that would go on
/// are its parent's.
[[noreturn, gnu::cold]] void end_child(const task& t) noexcept {
  try {
    const auto text = "troupe: a child of fork has to end, or to exec, inside the operation \"" +
                      on_one_line(t.op->name) + '"' + call_site_text(t.call_site) + '\n';
    (void)!::write(STDERR_FILENO, text.data(), text.size());
  } catch (const std::bad_alloc&) {}
  ::_exit(1);
}

}  // namespace

std::unique_ptr<event> begin_transfer(task& t, driver& to, stream& way) noexcept {
  if (fails_from_the_start(t)) return nullptr;
  auto& out = *t.outputs[0];
  try {
    allocate(t, out, to);
    const auto& in = t.inputs[0];
    if (auto* const far = in.source->device.traits().host_memory ? way.for_tasks() : nullptr)
      far->store(out.data(), in.source, first_element(in), out.bytes());
    else way.copy(out.data(), first_element(in), out.bytes());
    return way.record();
  } catch (const std::bad_alloc&) { fail_without_memory(t, out.bytes()); } catch (...) {
    fail_with_current_exception(t);
  }
  return nullptr;
}

ticks end_transfer(task& t, const event& point) noexcept {
  try {
    point.wait();
    const auto ended = now();
    t.succeed();
    return ended;
  } catch (...) { fail_with_current_exception(t); }
  return now();
}

ticks transfer(task& t, driver& to, stream& way) noexcept {
  const auto since = now();
  const auto point = begin_transfer(t, to, way);
  return point ? end_transfer(t, *point) : since;
}

task_event describe(const task& t) noexcept {
  task_event e;
  e.name = t.op->name;
  e.sequence = t.sequence;
  std::size_t known = 0;
  for (const auto& in : t.inputs) {
    if (in.source && known < e.inputs.size()) e.inputs[known++] = in.source->sequence;
  }
  e.submitted = t.submitted;
  e.became_ready = t.became_ready;
  e.bytes = static_cast<float>(t.cost.bytes);
  e.flops = static_cast<float>(t.cost.flops);
  e.device = t.device;
  e.call_site = t.call_site;
  return e;
}

bool execution::prepare() noexcept {
  auto& t = *task_;
  engine_ = t.engine;
  if (fails_from_the_start(t) || !bound_.take(t, *driver_)) return false;
  try {
    if (t.kernel->chunks) chunks_ = t.kernel->chunks(bound_.args());
    if (t.kernel->begin) t.kernel->begin(bound_.args());
    return true;
  } catch (...) { fail_with_current_exception(t); }
  return false;
}

void execution::run_chunks(std::int64_t first, std::int64_t last) noexcept {
  if (first >= failed_at_.load(std::memory_order_relaxed)) return;
  const working_scope no_waiting;
  const use_engine what_it_makes(engine_);
  const auto process = forks::count();
  try {
    task_->kernel->run(bound_.args(), first, last);
  } catch (...) { note_failure(first); }
  if (!task_->op->users_own) return;
  if (forks::count() != process && on_library_thread) end_child(*task_);
  default_float_environment::renew();
}

/// Keeps the reason of the first chunk when several fail, so it does not depend on which thread ran
/// which.
void execution::note_failure(std::int64_t chunk) noexcept {
  std::lock_guard lock(mutex_);
  if (chunk >= failed_at_.load(std::memory_order_relaxed)) return;
  failed_at_.store(chunk, std::memory_order_release);
  failure_place_ = place_of_failed_step(task_->call_site);
  failure_text_ = text_of_current_exception();
}

void execution::settle() noexcept {
  auto& t = *task_;
  if (!failed() && t.kernel->finish) {
    const working_scope no_waiting;
    const use_engine what_it_makes(engine_);
    try {
      t.kernel->finish(bound_.args());
    } catch (...) { note_failure(chunks_); }
  }
  bound_.drop_scratch();
  ended_ = now();
  // There is no text if there was no memory for it.
  if (failed()) t.fail(failure_text_.empty() ? "out of memory" : failure_text_, failure_place_);
  else t.succeed();
}

}  // namespace troupe
