// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

constexpr std::array statements = {"a = ones({1, 2})", "b = ones({1, 2})", "c = a * b + 2",
                                   "print c"};
using statement_times = std::array<double, statements.size()>;

statement_times run_once(std::string& printed) {
  tensor a, b, c;
  std::ostringstream out;
  const statement_times taken = {
      seconds_of([&] {
        a = ones({1, 2});
      }),
      seconds_of([&] {
        b = ones({1, 2});
      }),
      seconds_of([&] { c = a * b + 2; }),
      seconds_of([&] { out << c; }),
  };
  printed = out.str();
  return taken;
}

}  // namespace

void show_statements(page& p) {
  p.text(
      R"(
A statement that makes a tensor only notes what is to be done, and returns. The tensor is
computed by other threads. Printing has to wait for it; it is the only statement here that does.)");
  p.code(R"(
runtime rt;
tensor a = ones({1, 2}), b = ones({1, 2});
tensor c = a * b + 2;   // two operations
std::cout << c;         // waits
)");

  runtime rt;
  std::string printed;
  const statement_times first = run_once(printed);
  std::vector<statement_times> later(static_cast<std::size_t>(p.size(101, 11)));
  for (auto& one : later) one = run_once(printed);
  const ticks start = now();
  run_once(printed);

  table t(
      {"statement", "the first time", "later (median of " + std::to_string(later.size()) + ")"});
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto middle = later.begin() + static_cast<std::ptrdiff_t>(later.size() / 2);
    std::nth_element(
        later.begin(), middle, later.end(),
        [i](const statement_times& a, const statement_times& b) { return a[i] < b[i]; });
    t.add({statements[i], duration_text(first[i]), duration_text((*middle)[i])});
  }
  p.figures(t);
  p.text("It prints: " + printed);
  p.text(R"(
The first time is slower: programs and data are not in the caches yet, and what is needed once is
set up. Later too the first statement takes longest to return, for the actors sleep and are
woken.)");
  p.timeline("Four tasks, from the first one's start to the last one's end", rt.trace(start));
  p.keep_trace(rt);
}

}  // namespace troupe::demo
