// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/apps/gpu_here.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

struct copying_times {
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

std::vector<tensor> copies(const std::vector<tensor>& y, device place) {
  std::vector<tensor> z;
  for (const auto& one : y) z.push_back(to(one, place));
  return z;
}

/// Places and sizes: the device that computes products, the one they are copied to, and their
/// sizes.
struct setting {
  device from, to;
  std::int64_t n;      ///< rows and columns of the results
  std::int64_t inner;  ///< of the narrow matrices
};

/// Best times of several rounds.
copying_times run(runtime& rt, const setting& s, std::int64_t inner, int rounds) {
  const on_device here(s.from);
  const tensor a = uniform({s.n, inner}), b = uniform({inner, s.n});
  const auto both = [&] {
    const auto y = ten_products(a, b);
    const auto z = copies(y, s.to);
    rt.wait_all();
  };
  both();  // so that memory is at hand

  constexpr double long_time = 1e9;
  copying_times best{long_time, long_time, long_time, {}};
  for (int i = 0; i < rounds; ++i) {
    std::vector<tensor> y, z;
    best.computing = std::min(best.computing, seconds_of([&] {
                                y = ten_products(a, b);
                                rt.wait_all();
                              }));
    best.copying = std::min(best.copying, seconds_of([&] {
                              z = copies(y, s.to);
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

/// `shared` names what else keeps the two from overlapping perfectly.
void compare(page& p, runtime& rt, const setting& s, std::string_view shared) {
  const auto square = run(rt, s, s.n, 1);
  const auto narrow = run(rt, s, s.inner, 9);

  const auto rows = std::to_string(s.n), inner = std::to_string(s.inner);
  table t({"", rows + "x" + rows + " by " + rows + "x" + rows,
           rows + "x" + inner + " by " + inner + "x" + rows});
  const auto add = [&](const char* what, auto of) { t.add({what, of(square), of(narrow)}); };
  add("computing alone", [](const copying_times& m) { return duration_text(m.computing); });
  add("copying alone", [](const copying_times& m) { return duration_text(m.copying); });
  add("one after the other",
      [](const copying_times& m) { return duration_text(m.computing + m.copying); });
  add("no sync between", [](const copying_times& m) { return duration_text(m.together); });
  add("no sync / the longer one alone", [](const copying_times& m) {
    return number_text(m.together / std::max(m.computing, m.copying), 2);
  });
  add("no sync / one after the other", [](const copying_times& m) {
    return number_text(m.together / (m.computing + m.copying), 2);
  });
  p.figures(t);
  p.text(
      R"(
1.00 of the longer one alone would be perfect: the shorter one is hidden. What is above that is
the first product, which nothing can be copied beside, the last copy, and )" +
      std::string(shared) + ".");
  p.timeline("Narrow products, no sync between", narrow.log);
  p.keep_trace(rt);
}

void introduce(page& p, const setting& s) {
  p.text("Ten products on " + to_string(s.from) + ", each copied to " + to_string(s.to) + R"(.
Copies have lanes of their own, so y[0] is copied while y[1] is computed, if no sync point
forbids it. Two kinds of products: of large matrices, beside which the copies hardly count, and
of narrow ones whose results are as large but quickly computed.)");
  p.code(
      "for (int i = 0; i < 10; ++i) y[i] = matmul(a, b);\n"
      "rt.wait_all();                                       // one after the other; or leave it "
      "out\n"
      "for (int i = 0; i < 10; ++i) z[i] = to(y[i], cpu(" +
      std::to_string(s.to.index) +
      "));\n"
      "rt.wait_all();\n");
}

}  // namespace

void show_copies(page& p) {
  if (const auto found = gpu_here(); !found.empty()) {
    const setting s{gpu(0), cpu(0), p.size(6000, 600), p.size(1000, 100)};
    p.text("This machine has a GPU: " + found + ".");
    introduce(p, s);
    runtime rt({.gpus = 1});
    compare(p, rt, s, "the bandwidth of the GPU's memory, which both use");
    return;
  }
  const setting s{cpu(0), cpu(1), p.size(2000, 300), p.size(32, 8)};
  introduce(p, s);
  p.warn_of_missing_cores();
  runtime rt({.lanes = 1, .cpu_devices = 2});
  compare(p, rt, s, "two cores that share the way to main memory");
}

}  // namespace troupe::demo
