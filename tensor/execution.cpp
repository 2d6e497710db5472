// SPDX-License-Identifier: MIT
#include "troupe/tensor/execution.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include "troupe/tensor/engine.hpp"

namespace troupe {

namespace {

constexpr const char* no_exception = "an exception that is no std::exception";

std::string size_text(std::size_t bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1024 && unit < 5) amount /= 1024, ++unit;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
  return text;
}

/// An input whose memory nobody will need after this task and that fits `out`; null if there is none.
value* spent_input(task& t, const value& out) noexcept {
  for (auto& in : t.inputs) {
    auto* v = in.source.get();
    if (v && v->owns_buffer() && v->element == out.element && v->dims() == out.dims() &&
        in.view().dims == out.dims() && in.view().contiguous() && v->unique())
      return v;
  }
  return nullptr;
}

/// Settles a task that has a failed input.
bool poisoned(task& t) noexcept {
  for (auto& in : t.inputs)
    if (in.source && in.source->failed()) {
      t.fail(failure_ptr(in.source->why()));
      return true;
    }
  return false;
}

/// Settles a task that is to fail.
bool fails_on_purpose(task& t) noexcept {
  if (t.trouble.fails) t.fail("failed on purpose");
  return t.trouble.fails;
}

/// Takes the memory for an output.
void allocate(task& t, value& out, driver& place) {
  if (t.allowed && !out.fits_inline()) t.allowed->allocate(out);
  else out.allocate(place.memory());
}

std::byte* first_element(const operand& in) noexcept {
  return static_cast<std::byte*>(in.source->data()) +
         in.view().offset * static_cast<std::ptrdiff_t>(size_of(in.element));
}

}  // namespace

ticks transfer(task& t, driver& to, stream& way) noexcept {
  auto ended = now();
  if (poisoned(t) || fails_on_purpose(t)) return ended;
  auto& out = *t.outputs[0];
  try {
    allocate(t, out, to);
    way.copy(out.data(), first_element(t.inputs[0]), out.bytes());
    way.record()->wait();
    ended = now();
    out.succeed();
    t.drop_values();
  } catch (const std::bad_alloc&) {
    t.fail("out of memory: " + size_text(out.bytes()) + " cannot be had");
  } catch (const std::exception& e) { t.fail(e.what()); } catch (...) {
    t.fail(no_exception);
  }
  return ended;
}

task_event describe(const task& t) noexcept {
  task_event e;
  e.name = t.op->name;
  e.sequence = t.sequence;
  std::size_t known = 0;
  for (const auto& in : t.inputs)
    if (in.source && known < e.inputs.size()) e.inputs[known++] = in.source->sequence;
  e.submitted = t.submitted;
  e.became_ready = t.became_ready;
  e.bytes = static_cast<float>(t.cost.bytes);
  e.flops = static_cast<float>(t.cost.flops);
  e.place = t.place;
  e.where = t.where;
  return e;
}

bool execution::prepare() noexcept {
  auto& t = *task_;
  ended_ = now();
  if (poisoned(t) || fails_on_purpose(t)) return false;
  engine_ = t.engine;
  std::size_t wanted = 0;
  try {
    for (auto& in : t.inputs) {
      static constexpr std::int64_t no_strides[max_rank] = {};
      const auto& dims = in.source ? in.view().dims : t.outputs[0]->dims();
      inputs_.emplace_back(array{in.source ? first_element(in) : static_cast<void*>(&in.immediate),
                                 in.element, dims.rank(), dims.data(),
                                 in.source ? in.view().strides : no_strides});
    }
    for (auto& out : t.outputs) {
      value* spent = t.op->in_place ? spent_input(t, *out) : nullptr;
      wanted = out->bytes();
      if (spent) out->reuse(*spent);
      else allocate(t, *out, *driver_);
      const auto& l = out->whole;
      outputs_.emplace_back(
          array{out->data(), out->element, l.dims.rank(), l.dims.data(), l.strides});
    }
    args_ = {inputs_, outputs_, t.given.data(), nullptr};
    if (t.kernel->scratch_bytes)
      if ((wanted = t.kernel->scratch_bytes(args_))) {
        scratch_ = buffer(driver_->memory(), wanted);
        args_.scratch = scratch_.data();
      }
    if (t.kernel->chunks) chunks_ = t.kernel->chunks(args_);
    return true;
  } catch (const std::bad_alloc&) {
    t.fail("out of memory: " + size_text(wanted) + " cannot be had");
  } catch (const std::exception& e) { t.fail(e.what()); } catch (...) {
    t.fail(no_exception);
  }
  return false;
}

void execution::run_chunks(std::int64_t first, std::int64_t last) noexcept {
  if (first >= failed_at_.load(std::memory_order_relaxed)) return;
  const working_scope no_waiting;
  const use_engine what_it_makes(engine_);
  try {
    task_->kernel->run(args_, first, last);
  } catch (const std::bad_alloc&) {
    note_failure(first, "out of memory");
  } catch (const std::exception& e) { note_failure(first, e.what()); } catch (...) {
    note_failure(first, no_exception);
  }
}

/// Of several chunks that fail, the first one says why: so the reason does not depend on who ran which.
void execution::note_failure(std::int64_t chunk, std::string_view text) noexcept {
  std::lock_guard lock(mutex_);
  if (chunk >= failed_at_.load(std::memory_order_relaxed)) return;
  failed_at_.store(chunk, std::memory_order_release);
  try {
    failure_text_ = text;
  } catch (...) { failure_text_.clear(); }
}

void execution::settle() noexcept {
  auto& t = *task_;
  if (!failed() && t.kernel->finish) {
    const working_scope no_waiting;
    const use_engine what_it_makes(engine_);
    try {
      t.kernel->finish(args_);
    } catch (const std::bad_alloc&) {
      note_failure(chunks_, "out of memory");
    } catch (const std::exception& e) { note_failure(chunks_, e.what()); } catch (...) {
      note_failure(chunks_, no_exception);
    }
  }
  scratch_ = {};
  ended_ = now();
  if (failed()) {
    t.fail(failure_text_.empty() ? "out of memory" : failure_text_);
    return;
  }
  for (auto& out : t.outputs) out->succeed();
  t.drop_values();
}

}  // namespace troupe
