// SPDX-License-Identifier: MIT
#include <string>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/stopwatch.hpp"
#include "troupe/tensor/duration_text.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

void show_queue(page& p) {
  const std::int64_t n = p.size(2000, 300);
  const auto size = std::to_string(n) + " x " + std::to_string(n);
  p.text(
      "Queueing takes the same few microseconds whether the matrices are small or large. The "
      "program goes on while "
      "the product is computed; it waits where it wants the result. x is " +
      size + ".");
  p.code(R"(
tensor y = sum(matmul(x, x));   // queued
y.wait();                       // finished
)");

  runtime rt;
  const tensor x = uniform({n, n});
  matmul(x, x).wait();  // so that what is set up once is not part of the figures

  const ticks start = now();
  tensor y;
  const double queued = seconds_of([&] { y = sum(matmul(x, x)); });
  const double waited = seconds_of([&] { y.wait(); });

  table t({"", "time"});
  t.add({"y = sum(matmul(x, x))", duration_text(queued)});
  t.add({"y.wait()", duration_text(waited)});
  t.add({"waiting / queueing", number_text(waited / queued, 0)});
  p.figures(t);
  p.timeline("One product and one sum", rt.trace(start));
  p.text(
      "A big task is divided among lanes that have nothing else to do: one product shows on all of "
      "them.");
  p.keep_trace(rt);
}

}  // namespace troupe::demo
