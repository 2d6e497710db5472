// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/tasks/overlap.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

/// Size of the products, and how many are queued before one wait.
struct work {
  std::int64_t n;
  int products;
};

struct products_round {
  double time = 0;    ///< for ten products: the median of all rounds
  double factor = 0;  ///< of overlap, in the median round
  trace_log log;      ///< of that round
};

products_round run(runtime& rt, const work& w) {
  constexpr int rounds = 7;
  const tensor x = uniform({w.n, w.n});
  x.wait();
  std::vector<tensor> y(static_cast<std::size_t>(w.products));
  std::vector<products_round> all(rounds + 1);
  for (auto& one : all) {
    const ticks start = now();
    one.time = seconds_of([&] {
      for (auto& product : y) product = matmul(x, x);
      rt.wait_all();
    });
    one.time *= 10.0 / w.products;
    one.log = rt.trace(start);
    one.factor = measure_overlap(one.log).factor();
  }
  all.erase(all.begin());  // the first one sets things up
  const auto middle = all.begin() + rounds / 2;
  std::nth_element(
      all.begin(), middle, all.end(),
      [](const products_round& a, const products_round& b) { return a.time < b.time; });
  return *middle;
}

}  // namespace

void show_products(page& p) {
  const int lanes = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
  const auto works =
      p.size<std::vector<work>>({{8, 10}, {8, 1000}, {64, 10}, {64, 1000}, {256, 10}, {1000, 10}},
                                {{8, 10}, {8, 100}, {64, 10}});
  p.text(R"(
Are ten products that do not depend on each other computed in parallel on one device? They are, if
it has several lanes. Does it pay? That depends on their size, and for small ones on how many are
queued before the program waits.)");
  p.code(R"(
runtime rt({.lanes = 2});   // or 1
for (int i = 0; i < 10; ++i) y[i] = matmul(x, x);
rt.wait_all();
)");
  p.warn_of_missing_cores();

  std::vector<products_round> alone, shared;
  {
    runtime rt({.lanes = 1});
    for (const auto& w : works) alone.push_back(run(rt, w));
  }
  runtime rt({.lanes = lanes});
  for (const auto& w : works) shared.push_back(run(rt, w));

  const auto many = std::to_string(lanes) + " lanes";
  table t({"n x n", "queued", "ten with 1 lane", "ten with " + many, "speedup", "overlap factor"});
  for (std::size_t i = 0; i < works.size(); ++i)
    t.add({std::to_string(works[i].n), std::to_string(works[i].products),
           duration_text(alone[i].time), duration_text(shared[i].time),
           number_text(alone[i].time / shared[i].time, 2), number_text(shared[i].factor, 2)});
  p.figures(t);
  p.text(R"(
Times are from queueing to having waited, medians of several rounds, and for ten products even
where more were queued. The overlap factor is that of several lanes. Ten small products take less
time than waking the threads that compute them and the one that waits: more lanes do not pay, and
where the overlap factor is near 1 only one was used. The smallest are computed where they are
called, without any lane. For large products the speedup comes near the number of lanes, if as many
cores are free.)");
  p.timeline("Ten products of the largest size, with " + many, shared.back().log);
  p.keep_trace(rt);
}

}  // namespace troupe::demo
