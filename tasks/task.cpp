// SPDX-License-Identifier: MIT
#include "troupe/tasks/task.hpp"

#include <algorithm>
#include <ranges>

#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/shared_run.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

std::string circumstances(const task& t, const std::source_location& place) {
  constexpr std::ptrdiff_t most = 16;  // inputs that are named
  std::string out;
  const auto values = [](const operand& in) { return in.source != nullptr; };
  const auto more = std::ranges::count_if(t.inputs, values) - most;
  for (const auto& in : t.inputs | std::views::filter(values) | std::views::take(most)) {
    out += out.empty() ? "; inputs " : ", ";
    out += to_string(tensor_type{in.view().dims, in.written.value_or(in.element), t.device});
  }
  if (more > 0) out += " and " + std::to_string(more) + " more";
  const auto from = t.op->transfer ? t.inputs[0].source->device : t.device;
  return out + " on " + to_string(from) + call_site_text(place);
}

}  // namespace

task::task(const operation& o, troupe::device d, std::source_location w) noexcept
    : op(&o), device(d), call_site(w) {}

task::~task() {
  if (shared && shared->claim()) shared->close();
  if (!outputs.empty()) fail("the runtime ended before it ran", failure::reason::cancelled);
  if (op->users_own) drop_attributes();
}

void task::drop_attributes() noexcept {
  const working_scope no_waiting;  // in what a user's code captured
  attributes.reset();
}

void task::succeed() noexcept {
  for (auto& out : outputs) {
    if (out->owns_buffer()) out.let_go([](value& v) { v.succeed(); });
    else out->succeed();
  }
  drop_values();
}

void task::fail(std::string_view text, std::source_location place, failure::reason why) noexcept {
  const working_scope no_waiting;  // not even for memory: there is another text
  try {
    auto f = std::make_shared<failure>();
    f->facts = text;
    f->text = on_one_line(op->name) + ": " + f->facts + circumstances(*this, place);
    f->call_site = place;
    f->sequence = sequence;
    f->why = why;
    origin = std::move(f);
  } catch (const std::bad_alloc&) { origin = failure_without_memory(); }
  fail(failure_ptr(origin));
}

void task::fail(failure_ptr why) noexcept {
  failed = true;
  for (auto& out : outputs) out->fail(why);
  drop_values();
}

bool task::read_elsewhere() const noexcept {
  return std::ranges::any_of(outputs, [](const value_ref& out) { return out->read_elsewhere(); });
}

bool task::unneeded() const noexcept {
  return std::ranges::all_of(outputs, [](const value_ref& out) { return out->unique(); });
}

bool task::to_be_cancelled() const noexcept {
  const auto asked = cancel.load(std::memory_order_acquire);
  return asked == cancellation::always || (asked == cancellation::if_unneeded && unneeded());
}

void task::drop_values() noexcept {
  // The operands stay: the ordering still follows their links.
  for (auto& in : inputs) in.source = nullptr;
  outputs.clear();
}

}  // namespace troupe
