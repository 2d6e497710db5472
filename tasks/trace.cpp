// SPDX-License-Identifier: MIT
#include "troupe/tasks/trace.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/output_file.hpp"

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

/// Writer of one event after the other: a trace may have more than memory should hold as JSON.
class writer {
 public:
  writer(const trace_log& log, output_file& out) : log_(log), out_(out) {
    for (const auto& e : log.events)
      start_ = std::min(start_, e.submitted ? e.submitted : e.started);
    for (const auto& c : log.counters) start_ = std::min(start_, c.when);
  }

  void write() {
    out_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    write({{"name", "process_name"}, {"ph", "M"}, {"pid", 1}, {"args", {{"name", "troupe"}}}});
    for (std::size_t i = 0; i < log_.lanes.size(); ++i)
      write({{"name", "thread_name"},
             {"ph", "M"},
             {"pid", 1},
             {"tid", i},
             {"args", {{"name", log_.lanes[i]}}}});
    for (const auto& e : log_.events) slice(e);
    for (const auto& e : log_.events) arrows(e);
    for (const auto& c : log_.counters) counters(c);
    out_.write("\n]}\n");
  }

 private:
  /// Names that are no UTF-8 get U+FFFD for what is none.
  void write(const json& event) {
    if (std::exchange(any_, true)) out_.write(",\n");
    out_.write(event.dump(-1, ' ', false, json::error_handler_t::replace));
  }

  /// Returns microseconds, to the nanosecond.
  static double time_between(ticks from, ticks to) {
    return std::round(seconds_between(from, to) * 1e9) / 1e3;
  }
  double time(ticks t) const { return time_between(start_, t); }

  void slice(const task_event& e) {
    const auto from =
        std::string(e.call_site.file_name()) + ":" + std::to_string(e.call_site.line());
    write({{"name", e.name},
           {"ph", "X"},
           {"pid", 1},
           {"tid", e.lane},
           {"ts", time(e.started)},
           {"dur", time_between(e.started, e.ended)},
           {"args",
            {{"task", e.sequence},
             {"submitted", time(e.submitted)},
             {"ready", time(e.became_ready)},
             {"bytes", e.bytes},
             {"flops", e.flops},
             {"share", e.share},
             {"failed", e.failed},
             {"from", from}}}});
  }

  void arrows(const task_event& e) {
    if (by_sequence_.empty()) {
      for (const auto& one : log_.events) by_sequence_[one.sequence] = &one;
    }
    for (const auto input : e.inputs) {
      const auto found = by_sequence_.find(input);
      if (!input || found == by_sequence_.end()) continue;
      const auto& from = *found->second;
      ++arrow_;
      write({{"name", "input"},
             {"cat", "dependency"},
             {"ph", "s"},
             {"pid", 1},
             {"tid", from.lane},
             {"id", arrow_},
             {"ts", time(from.ended)}});
      write({{"name", "input"},
             {"cat", "dependency"},
             {"ph", "f"},
             {"bp", "e"},
             {"pid", 1},
             {"tid", e.lane},
             {"id", arrow_},
             {"ts", time(e.started)}});
    }
  }

  void counters(const counter_sample& c) {
    const auto write_one = [&](const char* name, const char* unit, std::uint64_t count) {
      write({{"name", name},
             {"ph", "C"},
             {"pid", 1},
             {"ts", time(c.when)},
             {"args", {{unit, count}}}});
    };
    write_one("pending tasks", "tasks", c.pending_tasks);
    write_one("live bytes", "bytes", c.live_bytes);
  }

  const trace_log& log_;
  output_file& out_;
  ticks start_ = ~ticks{0};
  bool any_ = false;  // event is written
  std::uint64_t arrow_ = 0;
  std::unordered_map<std::uint64_t, const task_event*> by_sequence_;
};

}  // namespace

void write_chrome_trace(const trace_log& log, const file_call& call) {
  output_file out(call);
  writer(log, out).write();
  out.commit();
}

/// Adds an event; if there is no memory for it, those that are there remain as many, since the
/// thread may be the only one that could give memory back.
void trace_ring::append(const task_event& e) {
  const working_scope no_waiting;
  try {
    events_.push_back(e);
    full_ = events_.size() == capacity_;
    oldest_ = events_.begin();
  } catch (const std::bad_alloc&) {
    full_ = !events_.empty();
    if (full_) replace_oldest(e);
    else lost_ = e.started;
  }
}

void trace_ring::copy_to(std::vector<task_event>& out, ticks since) const {
  if (events_.empty()) return;
  const auto add = [&](auto first, auto last) {
    std::copy_if(first, last, std::back_inserter(out),
                 [since](const task_event& e) { return e.started >= since; });
  };
  const std::deque<task_event>::const_iterator oldest = oldest_;
  add(oldest, events_.end());
  add(events_.begin(), oldest);
}

}  // namespace troupe
