// SPDX-License-Identifier: MIT
#include "troupe/tensor/gpu_execution.hpp"

#include "troupe/tensor/engine.hpp"

namespace troupe {

gpu_execution::started gpu_execution::start(driver& where, stream& on, bool last_try) noexcept {
  auto& t = *task_;
  if (fails_from_the_start(t)) return started::failed;
  if (!bound_.take(t, where, *t.gpu, on, last_try))
    return t.outputs.empty() ? started::failed : started::no_memory;
  const working_scope no_waiting;
  const use_engine what_it_makes(t.engine);
  try {
    if (t.gpu->explain) bound_.take_fault(where);
    on.launch(*t.gpu, bound_.args(), t.op->name);
  } catch (...) { failure_ = text_of_current_exception(); }
  return started::on_stream;
}

void gpu_execution::settle() noexcept {
  auto& t = *task_;
  // An input that was on its way may have failed since.
  if (fails_from_the_start(t)) return;
  if (!failure_.empty()) return t.fail(failure_);
  try {
    if (const auto* fault = bound_.args().fault; fault && fault->happened != 0)
      return t.fail(t.gpu->explain(bound_.args(), *fault));
  } catch (...) { return fail_with_current_exception(t); }
  t.succeed();
}

}  // namespace troupe
