// SPDX-License-Identifier: MIT
#include "troupe/tasks/gpu_execution.hpp"

#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/task_stream.hpp"

namespace troupe {

namespace {

/// True if a task fails for a reason that an input on its way may come before.
bool fails_later(const task& t) noexcept {
  bool pending = false;
  for (const auto& in : t.inputs) {
    if (!in.source) continue;
    if (in.source->failed()) return pending;
    pending |= in.source->pending();
  }
  return pending && t.injected.fails;
}

}  // namespace

gpu_execution::started gpu_execution::start(driver& where, stream& on, spent_values* spent,
                                            bool last_try) noexcept {
  auto& t = *task_;
  if (fails_later(t)) return take_place(where, last_try);
  if (fails_from_the_start(t)) return started::failed;
  if (auto* const whole = on.for_tasks()) return put(where, *whole, last_try);
  if (!bound_.take(t, where, on, spent, last_try))
    return t.outputs.empty() ? started::failed : started::no_memory;
  const working_scope no_waiting;
  const use_engine what_it_makes(t.engine);
  try {
    if (t.kernel->explain) bound_.take_fault(where);
    on.launch(*t.kernel, bound_.args(), t.op->name);
  } catch (...) { failure_ = text_of_current_exception(); }
  return started::on_stream;
}

/// Takes the memory alone, which tasks behind it read.
gpu_execution::started gpu_execution::take_place(driver& where, bool last_try) noexcept {
  auto& t = *task_;
  try {
    for (auto& out : t.outputs) allocate(t, *out, where);
    return started::on_stream;
  } catch (const std::bad_alloc&) {
    if (!last_try) {
      for (auto& out : t.outputs) out->drop_memory();
      return started::no_memory;
    }
    fail_without_memory(t, t.output_bytes);
  } catch (...) { fail_with_current_exception(t); }
  return started::failed;
}

/// Puts the whole task on a stream that takes tasks.
gpu_execution::started gpu_execution::put(driver& where, task_stream& on, bool last_try) noexcept {
  const auto taken = take_place(where, last_try);
  if (taken != started::on_stream) return taken;
  try {
    number_ = on.put(*task_);
    on_ = &on;
  } catch (...) { failure_ = text_of_current_exception(); }
  return taken;
}

bool gpu_execution::fails_now() noexcept {
  return !fails_later(*task_) && fails_from_the_start(*task_);
}

std::optional<std::uint64_t> gpu_execution::end_early() noexcept {
  task_ = nullptr;
  return on_ ? std::optional(number_) : std::nullopt;
}

void gpu_execution::settle() noexcept {
  std::string told;  // asked for in any case: it is kept until then
  try {
    if (on_) told = on_->failure_of(number_);
  } catch (...) { failure_ = text_of_current_exception(); }
  if (!task_) return;
  auto& t = *task_;
  // An input that was on its way may have failed since.
  if (fails_from_the_start(t)) return;
  if (!failure_.empty()) return t.fail(failure_);
  try {
    if (on_) return told.empty() ? t.succeed() : t.fail(told);
    if (const auto* fault = bound_.args().fault; fault && fault->happened != 0)
      return t.fail(t.kernel->explain(bound_.args(), *fault));
  } catch (...) { return fail_with_current_exception(t); }
  t.succeed();
}

}  // namespace troupe
