// SPDX-License-Identifier: MIT
#include "troupe/tasks/chrome_trace.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <locale>
#include <string_view>
#include <unordered_map>

#include "troupe/tasks/error.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

class writer {
 public:
  writer(const trace_log& log, std::ostream& out) : log_(log), out_(out) {
    out_.imbue(std::locale::classic());
    for (const auto& e : log.events)
      start_ = std::min(start_, e.submitted ? e.submitted : e.started);
    for (const auto& c : log.counters) start_ = std::min(start_, c.when);
  }

  void write() {
    out_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
         << R"({"name":"process_name","ph":"M","pid":1,"args":{"name":"troupe"}})";
    for (std::size_t i = 0; i < log_.lanes.size(); ++i)
      next() << R"({"name":"thread_name","ph":"M","pid":1,"tid":)" << i << R"(,"args":{"name":)"
             << json_text(log_.lanes[i]) << "}}";
    for (const auto& e : log_.events) slice(e);
    for (const auto& e : log_.events) arrows(e);
    for (const auto& c : log_.counters) counters(c);
    out_ << "\n]}\n";
  }

 private:
  std::ostream& next() { return out_ << ",\n"; }

  /// Returns a time in microseconds, to the nanosecond.
  static std::string time_text(ticks from, ticks to) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, seconds_between(from, to) * 1e6,
                                   std::chars_format::fixed, 3);
    return {text, end.ptr};
  }
  std::string time(ticks t) const { return time_text(start_, t); }

  void slice(const task_event& e) {
    next() << "{\"name\":" << json_text(e.name) << R"(,"ph":"X","pid":1,"tid":)" << e.lane
           << ",\"ts\":" << time(e.started) << ",\"dur\":" << time_text(e.started, e.ended)
           << ",\"args\":{\"task\":" << e.sequence << ",\"submitted\":" << time(e.submitted)
           << ",\"ready\":" << time(e.became_ready) << ",\"bytes\":" << e.bytes
           << ",\"flops\":" << e.flops << ",\"share\":" << e.share
           << ",\"failed\":" << (e.failed ? "true" : "false") << ",\"from\":"
           << json_text(std::string(e.call_site.file_name()) + ":" +
                        std::to_string(e.call_site.line()))
           << "}}";
  }

  void arrows(const task_event& e) {
    if (by_sequence_.empty()) {
      for (const auto& one : log_.events) by_sequence_[one.sequence] = &one;
    }
    for (const auto input : e.inputs) {
      const auto found = by_sequence_.find(input);
      if (!input || found == by_sequence_.end()) continue;
      const auto& from = *found->second;
      next() << R"({"name":"input","cat":"dependency","ph":"s","pid":1,"tid":)" << from.lane
             << ",\"id\":" << ++arrow_ << ",\"ts\":" << time(from.ended) << "}";
      next() << R"({"name":"input","cat":"dependency","ph":"f","bp":"e","pid":1,"tid":)" << e.lane
             << ",\"id\":" << arrow_ << ",\"ts\":" << time(e.started) << "}";
    }
  }

  void counters(const counter_sample& c) {
    next() << R"({"name":"pending tasks","ph":"C","pid":1,"ts":)" << time(c.when)
           << ",\"args\":{\"tasks\":" << c.pending_tasks << "}}";
    next() << R"({"name":"live bytes","ph":"C","pid":1,"ts":)" << time(c.when)
           << ",\"args\":{\"bytes\":" << c.live_bytes << "}}";
  }

  const trace_log& log_;
  std::ostream& out_;
  ticks start_ = ~ticks{0};
  std::uint64_t arrow_ = 0;
  std::unordered_map<std::uint64_t, const task_event*> by_sequence_;
};

}  // namespace

void write_chrome_trace(const trace_log& log, std::ostream& out) { writer(log, out).write(); }

void write_chrome_trace(const trace_log& log, const std::string& path, std::source_location where) {
  std::ofstream out(path);
  if (out) write_chrome_trace(log, out);
  if (!out.flush()) throw error("save_trace: cannot write " + path, where);
}

}  // namespace troupe
