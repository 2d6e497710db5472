// SPDX-License-Identifier: MIT
#include "troupe/tasks/stream_transfer.hpp"

#include <new>

#include "troupe/tasks/binding.hpp"
#include "troupe/tasks/execution.hpp"

namespace troupe {

namespace {

interval copy_behind(const stream_position& point, const operand& in, value& out, stream& way) {
  way.wait(*point.behind);
  const auto first = way.record();
  way.copy(out.data(), first_element(in, point.data), out.bytes());
  const auto last = way.record();
  last->wait();
  interval when;
  if (const auto seconds = last->seconds_since(*first); seconds > 0)
    when.since = when.until - ticks_in(seconds);
  return when;
}

/// Waits for the stream: its work may still write to memory.
void await_all_of(stream& way) noexcept {
  try {
    way.record()->wait();
  } catch (...) {}  // a failed stream runs nothing any more
}

}  // namespace

interval stream_transfer(task& t, driver& to, stream& way) noexcept {
  const auto& in = t.inputs[0];
  interval when;
  if (!in.source->pending()) {
    when.until = transfer(t, to, way);
    return when;
  }
  auto& out = *t.outputs[0];
  bool memory = true;
  std::string failure;
  try {
    allocate(t, out, to);
  } catch (const std::bad_alloc&) { memory = false; }
  if (memory) {
    try {
      when = copy_behind(*in.source->point(), in, out, way);
    } catch (...) {
      failure = text_of_current_exception();
      await_all_of(way);
    }
  }
  // The GPU has finished the value, but only its lane knows whether the value is good.
  in.source->wait();
  if (fails_from_the_start(t)) return when;
  if (!memory) {
    fail_without_memory(t, out.bytes());
  } else if (!failure.empty()) {
    t.fail(failure);
  } else {
    t.succeed();
  }
  return when;
}

}  // namespace troupe
