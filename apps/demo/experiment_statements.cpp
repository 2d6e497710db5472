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

constexpr std::array statements = {"a = ones(shape)", "b = ones(shape)", "c = a * b + 2",
                                   "print c"};
using statement_times = std::array<double, statements.size()>;

statement_times run_once(const shape& dims, std::string& printed) {
  tensor a, b, c;
  std::ostringstream out;
  const statement_times taken = {
      seconds_of([&] { a = ones(dims); }),
      seconds_of([&] { b = ones(dims); }),
      seconds_of([&] { c = a * b + 2; }),
      seconds_of([&] { out << c; }),
  };
  printed = out.str();
  return taken;
}

/// Returns the median time of each statement.
statement_times medians_of(std::vector<statement_times> all) {
  statement_times medians{};
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    std::nth_element(
        all.begin(), middle, all.end(),
        [i](const statement_times& a, const statement_times& b) { return a[i] < b[i]; });
    medians[i] = (*middle)[i];
  }
  return medians;
}

statement_times medians_of_runs(int times, const shape& dims) {
  std::string printed;
  std::vector<statement_times> all(static_cast<std::size_t>(times));
  for (auto& one : all) one = run_once(dims, printed);
  return medians_of(std::move(all));
}

}  // namespace

void show_statements(page& p) {
  p.text(R"(
A statement that makes a tensor notes what is to be done, and returns. The tensor is computed by
other threads, unless that takes less than telling them: then it is there when the statement
returns. Printing has to wait for its tensor; it is the only statement here that does.)");
  p.code(R"(
runtime rt;
tensor a = ones(shape), b = ones(shape);
tensor c = a * b + 2;   // two operations
std::cout << c;         // waits
)");

  runtime rt;
  const shape small{1, 2}, large{p.size(2000, 200), p.size(2000, 200)};
  std::string printed;
  const auto first = run_once(small, printed);
  const int times = p.size(101, 11);
  const auto later = medians_of_runs(times, small);
  const auto of_large = medians_of_runs(times, large);
  const ticks start = now();
  std::string whole;
  run_once(large, whole);

  table t({"median of " + std::to_string(times), to_string(small) + ", the first time",
           to_string(small), to_string(large)});
  for (std::size_t i = 0; i < statements.size(); ++i)
    t.add({statements[i], duration_text(first[i]), duration_text(later[i]),
           duration_text(of_large[i])});
  p.figures(t);
  p.text("It prints: " + printed);
  p.text(R"(
The first time is slower: programs and data are not in the caches yet, and what is needed once is
set up. The large arrays are computed while the program goes on; printing waits for them.)");
  p.timeline("The four tasks of the large arrays, from the first one's start to the last one's end",
             rt.trace(start));
  p.keep_trace(rt);
}

}  // namespace troupe::demo
