// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/tasks/overlap.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

struct waiting_times {
  double t1 = 0;  ///< of one submission, without computing y if the thread did that itself
  double t2 = 0;  ///< of computing one y
  double t3 = 0;  ///< of the rest: until the waiting thread knows
  double total = 0;
  trace_log log;
};

waiting_times run(runtime& rt, const tensor& x, int times, bool wait_each_time) {
  waiting_times m;
  const ticks start = now();
  double submitting = 0;
  std::vector<ticks> submitted;
  tensor y;
  for (int i = 0; i < times; ++i) {
    submitting += seconds_of([&] { y = x + 1; });
    submitted.push_back(now());
    if (wait_each_time) y.wait();
  }
  y.wait();
  m.total = seconds_between(start, now());
  m.log = rt.trace(start);
  const auto first = std::ranges::min(m.log.events, {}, &task_event::sequence).sequence;
  for (const auto& e : m.log.events) {
    if (e.ended <= submitted[e.sequence - first]) submitting -= seconds_between(e.started, e.ended);
  }
  m.t1 = submitting / times;
  m.t2 = measure_overlap(m.log).work / times;
  m.t3 = m.total / times - m.t1 - m.t2;
  return m;
}

void add_rows(table& t, const std::string& size, const waiting_times& each,
              const waiting_times& once, int times) {
  const std::string n = std::to_string(times);
  t.add({"x is " + size});
  t.add({"  t1: submit one", duration_text(each.t1), duration_text(once.t1)});
  t.add({"  t2: compute one", duration_text(each.t2), duration_text(once.t2)});
  t.add({"  t3: learn that it is there", duration_text(each.t3), ""});
  t.add({"  all, measured", duration_text(each.total), duration_text(once.total)});
  t.add({"  " + n + " (t1 + t2 + t3) | t1 + " + n + " t2 + t3",
         duration_text(times * (each.t1 + each.t2 + each.t3)),
         duration_text(once.t1 + times * once.t2 + each.t3)});
  t.add({"  waiting each time / once at the end", "", number_text(each.total / once.total, 2)});
}

}  // namespace

void show_waiting(page& p) {
  const std::int64_t large = p.size(2000, 200), small = 100;
  const int times = p.size(1000, 100);
  const std::string n = std::to_string(times);
  p.text(R"(
The same operations, twice. Submitting one takes t1, computing it t2, and it takes t3 until the
thread that waits goes on: it is woken, or has computed a small y itself as it submitted it. Who
waits each time pays all three each time. Who waits once submits while another thread computes: t1
and t3 hide behind the computing, all but once.)");
  p.code("for (int i = 0; i < " + n +
         "; ++i) {\n  y = x + 1;\n  y.wait();   // or only once, behind the loop\n}\n");

  runtime rt({.lanes = 1});
  table t({"one lane", "waiting each time", "once at the end"});
  trace_log waiting, queued;
  for (const std::int64_t size : {large, small}) {
    const tensor x = uniform({size, size});
    run(rt, x, 10, false);
    auto each = run(rt, x, times, true);
    auto once = run(rt, x, times, false);
    add_rows(t, std::to_string(size) + " x " + std::to_string(size), each, once, times);
    waiting = std::move(each.log);
    queued = std::move(once.log);
  }
  p.figures(t);
  p.text(R"(
t3 is what is left of the measured time when t1 and t2 are taken away, so for waiting each time the
formula holds by definition. For waiting once it is a prediction from t1, t2 and t3: it holds if t2
is longer than t1, and leaves out what passing messages takes. The smaller t2 is beside t1 + t3, the
more is lost by waiting each time.)");
  p.timeline("The small x, waiting each time", waiting);
  p.timeline("The small x, waiting once at the end", queued);
  p.keep_trace(rt);
}

}  // namespace troupe::demo
