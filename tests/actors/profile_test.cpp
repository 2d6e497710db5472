// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <numeric>
#include <sstream>

#include "troupe/actors/runtime.hpp"
#include "troupe/tasks/profile.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Adds an event of so many milliseconds.
void add(trace_log& log, std::string_view name, std::uint64_t sequence, double milliseconds) {
  static const double per_tick = seconds_between(0, 1'000'000'000) / 1e9;
  task_event e;
  e.name = name;
  e.sequence = sequence;
  e.started = 1'000;
  e.ended = e.started + static_cast<ticks>(milliseconds * 1e-3 / per_tick);
  log.events.push_back(e);
}

}  // namespace

TEST_CASE("a profile adds up the time of each operation, and counts a shared task once") {
  trace_log log;
  add(log, "exp", 1, 10);
  add(log, "matmul", 2, 30);
  add(log, "matmul", 2, 30);  // another lane's share
  add(log, "exp", 3, 10);
  add(log, "matmul", 4, 20);
  const auto p = measure_profile(log);
  REQUIRE(p.operations.size() == 2);
  CHECK(p.total == Approx(0.1).epsilon(1e-3));
  CHECK_FALSE(p.partial);
  const auto &first = p.operations[0], &second = p.operations[1];
  CHECK(first.name == "matmul");
  CHECK(first.calls == 2);
  CHECK(first.total == Approx(0.08).epsilon(1e-3));
  CHECK(first.mean() == Approx(0.04).epsilon(1e-3));
  CHECK(p.share(first) == Approx(0.8).epsilon(1e-3));
  CHECK(second.name == "exp");
  CHECK(second.calls == 2);
  CHECK(p.share(second) == Approx(0.2).epsilon(1e-3));
}

TEST_CASE("a profile is written as a table") {
  trace_log log;
  add(log, "exp", 1, 25.004);
  add(log, "matmul", 2, 75.004);
  log.partial = true;
  std::ostringstream out;
  out << measure_profile(log);
  CHECK(out.str() ==
        "operation  calls      total      mean    share\n"
        "matmul         1   75.00 ms  75.00 ms   75.0 %\n"
        "exp            1   25.00 ms  25.00 ms   25.0 %\n"
        "all            2  100.01 ms  50.00 ms  100.0 %\n"
        "only the latest tasks: a trace keeps no more, see trace_events\n");
  std::ostringstream none;
  none << measure_profile({});
  CHECK(none.str() ==
        "operation  calls  total  mean  share\n"
        "all            0   0 ns  0 ns  0.0 %\n");
}

TEST_CASE("a runtime's profile has every operation since a point in time") {
  runtime rt({.lanes = 2});
  auto& e = rt.engine();
  tensor x = filled(e, {1'000}, 0);
  for (int i = 0; i < 20; ++i) x = increment(e, x);
  rt.wait_all();
  const auto all = rt.profile();
  const auto calls = [](const profile_report& p) {
    return std::accumulate(
        p.operations.begin(), p.operations.end(), std::size_t{0},
        [](std::size_t sum, const profile_report::operation& o) { return sum + o.calls; });
  };
  CHECK(calls(all) == 21);
  CHECK(all.total == Approx(rt.overlap().work));
  const auto start = now();
  for (int i = 0; i < 3; ++i) x = increment(e, x);
  rt.wait_all();
  const auto later = rt.profile(start);
  REQUIRE(later.operations.size() == 1);
  CHECK(later.operations[0].calls == 3);
  CHECK(later.operations[0].total > 0);
  CHECK(rt.profile(now()).operations.empty());
}

TEST_CASE("without a trace there is no profile") {
  runtime rt({.lanes = 1, .trace_events = 0});
  filled(rt.engine(), {10}, 0).wait();
  CHECK(rt.profile().operations.empty());
}
