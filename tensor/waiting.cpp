// SPDX-License-Identifier: MIT
#include "troupe/tensor/waiting.hpp"

#include <utility>

#include "troupe/tasks/deadline.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/reads.hpp"

namespace troupe {

namespace {

/// Returns true if the value has settled before the limit; does not throw its failure.
bool await_settled(const tensor& x, const wait_limit& limit, caller where) {
  if (x.source()) reads::note(*x.source());
  if (detail::has_settled("wait", x, where)) return true;
  refuse_while_working("wait", where);
  return engine::of(*x.source(), "wait", where).wait(x.source(), limit);
}

}  // namespace

void wait(std::span<const tensor> all, caller where) {
  for (const auto& x : all) await_settled(x, {}, where);
  for (const auto& x : all) x.wait(where);
}

bool wait(const tensor& x, std::stop_token stop, caller where) {
  if (!await_settled(x, {.stop = std::move(stop)}, where)) return false;
  x.wait(where);
  return true;
}

void cancel(const tensor& x, caller where) {
  if (detail::has_settled("cancel", x, where)) return;
  engine::of(*x.source(), "cancel", where).cancel(x.source());
}

tensor tensor::within(std::chrono::nanoseconds most, caller where) const {
  const auto& v = checked("within", where);
  const auto limit = deadline_after(most, where);
  if (!v.pending()) return *this;
  auto& e = engine::of(v, "within", where);
  value_ref timed(new value(v.element, v.device, v.dims()));
  timed->engine = e.id();
  task_ptr t(new task(within_operation, v.device, where));
  t->engine = e.id();
  auto& in = t->inputs.emplace_back();
  in.source = source_;
  in.element = v.element;
  t->add_output(timed);
  begin_timed(*t, limit);
  e.mark(*t);
  e.submit(std::move(t));
  tensor out(std::move(timed), node_);
  out.part_ = part_;
  return out;
}

}  // namespace troupe
