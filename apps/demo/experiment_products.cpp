// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/stopwatch.hpp"
#include "troupe/tensor/duration_text.hpp"
#include "troupe/tensor/overlap.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

struct measured {
  double time = 0;    ///< the median of all rounds
  double factor = 0;  ///< of overlap, in the median round
  trace_log log;      ///< of that round
};

/// Times rounds of ten independent products of n x n matrices.
measured run(runtime& rt, std::int64_t n, int rounds) {
  const use_engine with(rt.engine());
  const tensor x = uniform({n, n});
  x.wait();
  std::vector<measured> all(static_cast<std::size_t>(rounds) + 1);
  for (auto& one : all) {
    const ticks start = now();
    one.time = seconds_of([&] {
      std::vector<tensor> y(10);
      for (auto& product : y) product = matmul(x, x);
      rt.wait_all();
    });
    one.log = rt.trace(start);
    one.factor = measure_overlap(one.log).factor();
  }
  all.erase(all.begin());  // the first one sets things up
  const auto middle = all.begin() + rounds / 2;
  std::nth_element(all.begin(), middle, all.end(),
                   [](const measured& a, const measured& b) { return a.time < b.time; });
  return *middle;
}

}  // namespace

void show_products(page& p) {
  const int lanes = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
  const std::vector<std::int64_t> sizes =
      p.size<std::vector<std::int64_t>>({8, 64, 256, 1000}, {8, 64, 128});
  p.text(
      "Are ten products that do not depend on each other computed in parallel on one device? They "
      "are, if it has "
      "several lanes. Does it pay? That depends on their size.");
  p.code(R"(
runtime rt({.lanes = 2});   // or 1
for (int i = 0; i < 10; ++i) y[i] = matmul(x, x);
rt.wait_all();
)");
  say_if_one_core(p);

  runtime one({.lanes = 1}), several({.lanes = lanes});
  table t({"n x n", "1 lane", std::to_string(lanes) + " lanes", "speedup", "overlap factor"});
  measured last;
  for (const auto n : sizes) {
    const int rounds = n >= 256 ? 5 : 51;
    const auto alone = run(one, n, rounds);
    last = run(several, n, rounds);
    t.add({std::to_string(n), duration_text(alone.time), duration_text(last.time),
           number_text(alone.time / last.time, 2), number_text(last.factor, 2)});
  }
  p.figures(t);
  p.text("The speedup is the time with 1 lane by the time with " + std::to_string(lanes) +
         ", from queueing to having "
         "waited. The overlap factor is how many lanes were computing on average, from the first "
         "task's start to the "
         "last one's end. A small product is computed faster than another thread is woken, so "
         "several lanes gain nothing "
         "there; for large ones the speedup comes near the number of lanes, if there are as many "
         "free cores.");
  p.timeline(
      "Ten products of " + std::to_string(sizes.back()) + " x " + std::to_string(sizes.back()),
      last.log);
  p.keep_trace(several);
}

}  // namespace troupe::demo
