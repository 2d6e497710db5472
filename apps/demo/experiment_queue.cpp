// SPDX-License-Identifier: MIT
#include <string>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

struct queueing_times {
  double queued = 0;
  double waited = 0;
  ticks start = 0;
};

queueing_times run(const tensor& x) {
  sum(matmul(x, x)).wait();  // so that what is set up once is not part of the figures
  tensor y;
  queueing_times m;
  m.start = now();
  m.queued = seconds_of([&] { y = sum(matmul(x, x)); });
  m.waited = seconds_of([&] { y.wait(); });
  return m;
}

}  // namespace

void show_queue(page& p) {
  const std::int64_t n = p.size(2000, 300);
  p.text(R"(
Queueing takes microseconds, whether the matrices are small or large. The program goes on while the
large product is computed; it waits where it wants the result. The small one is there by then, if
computing it takes less than telling another thread of it.)");
  p.code(R"(
tensor y = sum(matmul(x, x));   // queued
y.wait();                       // finished
)");

  runtime rt;
  const auto few = run(uniform({20, 20}));
  const auto many = run(uniform({n, n}));

  const auto size = std::to_string(n);
  table t({"x is", "20 x 20", size + " x " + size});
  t.add({"y = sum(matmul(x, x))", duration_text(few.queued), duration_text(many.queued)});
  t.add({"y.wait()", duration_text(few.waited), duration_text(many.waited)});
  p.figures(t);
  p.timeline("The large x", rt.trace(many.start));
  p.text(R"(
A big task may be divided among lanes that have nothing else to do: then it shows on all of
them.)");
  p.keep_trace(rt);
}

}  // namespace troupe::demo
