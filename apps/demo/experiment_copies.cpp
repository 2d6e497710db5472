// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/stopwatch.hpp"
#include "troupe/tensor/duration_text.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

struct measured {
  double computing = 0;
  double copying = 0;
  double together = 0;
  trace_log log;  ///< of both together
};

std::vector<tensor> ten_products(const tensor& a, const tensor& b) {
  std::vector<tensor> y(10);
  for (auto& one : y) one = matmul(a, b);
  return y;
}

std::vector<tensor> copies(const std::vector<tensor>& y) {
  std::vector<tensor> z;
  for (const auto& one : y) z.push_back(to(one, cpu(1)));
  return z;
}

/// The best times of several rounds.
measured run(runtime& rt, std::int64_t n, std::int64_t inner, int rounds) {
  const tensor a = uniform({n, inner}), b = uniform({inner, n});
  const auto both = [&] {
    const auto y = ten_products(a, b);
    const auto z = copies(y);
    rt.wait_all();
  };
  both();  // so that memory is at hand

  constexpr double long_time = 1e9;
  measured best{long_time, long_time, long_time, {}};
  for (int i = 0; i < rounds; ++i) {
    std::vector<tensor> y, z;
    best.computing = std::min(best.computing, seconds_of([&] {
                                y = ten_products(a, b);
                                rt.wait_all();
                              }));
    best.copying = std::min(best.copying, seconds_of([&] {
                              z = copies(y);
                              rt.wait_all();
                            }));
    y.clear();
    z.clear();
    const ticks start = now();
    const double together = seconds_of(both);
    if (together > best.together) continue;
    best.together = together;
    best.log = rt.trace(start);
  }
  return best;
}

}  // namespace

void show_copies(page& p) {
  const std::int64_t n = p.size(2000, 300), inner = p.size(32, 8);
  p.text(
      R"(
Ten products on cpu:0, each copied to cpu:1. Copies have lanes of their own, so y[0] is copied
while y[1] is computed, if no sync point forbids it. Two kinds of products: of large matrices,
beside which the copies hardly count, and of narrow ones whose results are as large but quickly
computed.)");
  p.code(R"(
for (int i = 0; i < 10; ++i) y[i] = matmul(a, b);
rt.wait_all();                                       // one after the other; or leave it out
for (int i = 0; i < 10; ++i) z[i] = to(y[i], cpu(1));
rt.wait_all();
)");
  p.warn_of_missing_cores();

  runtime rt({.lanes = 1, .cpu_devices = 2});
  const auto square = run(rt, n, n, 1);
  const auto narrow = run(rt, n, inner, 9);

  const auto rows = std::to_string(n);
  table t({"", rows + "x" + rows + " by " + rows + "x" + rows,
           rows + "x" + std::to_string(inner) + " by " + std::to_string(inner) + "x" + rows});
  const auto add = [&](const char* what, auto of) { t.add({what, of(square), of(narrow)}); };
  add("computing alone", [](const measured& m) { return duration_text(m.computing); });
  add("copying alone", [](const measured& m) { return duration_text(m.copying); });
  add("one after the other",
      [](const measured& m) { return duration_text(m.computing + m.copying); });
  add("no sync between", [](const measured& m) { return duration_text(m.together); });
  add("no sync / the longer one alone", [](const measured& m) {
    return number_text(m.together / std::max(m.computing, m.copying), 2);
  });
  add("no sync / one after the other",
      [](const measured& m) { return number_text(m.together / (m.computing + m.copying), 2); });
  p.figures(t);
  p.text(
      R"(
1.00 of the longer one alone would be perfect: the shorter one is hidden. What is above that is
the first product, which nothing can be copied beside, the last copy, and two cores that share
the way to main memory.)");
  p.timeline("Narrow products, no sync between", narrow.log);
  p.keep_trace(rt);
}

}  // namespace troupe::demo
