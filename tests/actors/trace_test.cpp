// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <csignal>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "troupe/actors/callers_lane.hpp"
#include "troupe/actors/runtime.hpp"
#include "troupe/tasks/trace.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tests/actors/test_operations.hpp"
#include "troupe/tests/temporary_folder.hpp"

using namespace troupe;
using namespace troupe::testing;
using nlohmann::json;

namespace {

/// Limit on the size of the files that this process writes, for as long as it lives.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &now) == 0);
  }
  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;
  ~file_size_limit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

/// Runs tasks of all kinds; returns their number.
std::size_t run_some(runtime& rt) {
  auto& e = rt.engine();
  tensor x = filled(e, {1'000}, 0), there = to(x, cpu(1));
  for (int i = 0; i < 100; ++i) {
    x = increment(e, x);
    x = call(e, {x}, {1'000},
             [](const kernel_args& a, auto first, auto last) {
               for (auto k = first * 100; k < last * 100; ++k)
                 begin(a.outputs[0])[k] = begin(a.inputs[0])[k];
             },
             {.nanoseconds = 60'000, .chunks = 10});
    there = plus(e, there, to(x, cpu(1)));
  }
  const auto bad = failing(e, "on purpose");
  CHECK_THROWS(bad.wait());
  there.wait();
  rt.wait_all();
  return 2 + 100 * 4 + 1;
}

}  // namespace

TEST_CASE(
    "the trace has every task, the shares of a shared task add up, and its times are in order") {
  runtime rt({.lanes = 3, .cpu_devices = 2});
  const auto count = run_some(rt);
  const auto log = rt.trace();
  std::map<std::uint64_t, double> shares;
  for (const auto& e : log.events) {
    shares[e.sequence] += static_cast<double>(e.share);
    CHECK(e.submitted > 0);
    CHECK(e.submitted <= e.became_ready);
    CHECK(e.became_ready <= e.started);
    CHECK(e.started <= e.ended);
    CHECK(e.failed == (e.sequence == count));
    CHECK(std::string(e.call_site.file_name()).ends_with("trace_test.cpp"));
  }
  CHECK(shares.size() == count);
  CHECK(shares.begin()->first == 1);
  CHECK(shares.rbegin()->first == count);
  for (const auto& [sequence, share] : shares) CHECK(share == Approx(1));
}

TEST_CASE("tasks of one lane do not overlap, and none starts before its inputs have ended") {
  runtime rt({.lanes = 3, .cpu_devices = 2, .gpus = 0});
  run_some(rt);
  const auto log = rt.trace();
  std::map<int, ticks> lane_free;
  std::map<std::uint64_t, ticks> ended;
  std::set<std::string> lanes;
  for (const auto& e : log.events) ended[e.sequence] = std::max(ended[e.sequence], e.ended);
  for (const auto& e : log.events) {  // in order of their start
    CHECK(e.started >= lane_free[e.lane]);
    lane_free[e.lane] = e.ended;
    const auto& name = log.lanes.at(static_cast<std::size_t>(e.lane));
    for (auto input : e.inputs) {
      CAPTURE(name, e.name, input, e.share, e.became_ready);
      if (input) CHECK(ended.at(input) <= e.started);
    }
    lanes.insert(name);
    const auto place = to_string(e.device);
    const auto lane_of = e.name == "to" ? "copy to " + place : place + " lane ";
    CHECK((name == callers_lane::name || name.starts_with(lane_of)));
  }
  CHECK(log.lanes.size() - std::ranges::count(log.lanes, callers_lane::name) == 2 * 3 + 2);
  CHECK(lanes.contains("copy to cpu:1"));
}

TEST_CASE("a trace may begin at a point in time") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  filled(rt.engine(), {}, 0).wait();
  rt.wait_all();
  const auto since = now();
  filled(rt.engine(), {}, 0).wait();
  rt.wait_all();
  CHECK(rt.trace().events.size() == 2);
  REQUIRE(rt.trace(since).events.size() == 1);
  CHECK(rt.trace(since).events[0].sequence == 2);
}

TEST_CASE("the trace keeps as many of the latest events as requested, or none") {
  const auto most = GENERATE(0, 1, 10);
  runtime rt({.lanes = 1, .cpu_devices = 1, .trace_events = most});
  for (int i = 0; i < 100; ++i) filled(rt.engine(), {}, 0);
  rt.wait_all();
  const auto log = rt.trace();
  REQUIRE(log.events.size() == static_cast<std::size_t>(most));
  for (std::size_t i = 0; i < log.events.size(); ++i)
    CHECK(log.events[i].sequence == 101 - log.events.size() + i);
}

TEST_CASE("a saved trace is JSON with a slice for each event, whatever operations are called") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  run_some(rt);
  const std::string name = "a\"b\\\n\x01 c";
  troupe::effect(name, {}, [](const inputs&) {}).wait();
  rt.wait_all();
  const temporary_folder folder;
  const auto path = folder / "trace.json";
  rt.save_trace(path);
  const auto events = json::parse(bytes_in(path))["traceEvents"];
  const auto is_slice = [](const json& e) { return e["ph"] == "X"; };
  const auto slices = static_cast<std::size_t>(std::ranges::count_if(events, is_slice));
  CHECK(slices == rt.trace().events.size());
  CHECK(std::ranges::count_if(events, [&](const json& e) { return e["name"] == name; }) == 1);
}

TEST_CASE("a trace that cannot be written is an error that names the file") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  CHECK_THROWS_WITH(rt.save_trace("/no/such/folder/trace.json"),
                    Catch::StartsWith("save_trace: /no/such/folder/trace.json: cannot be written: "
                                      "No such file or directory (trace_test.cpp:"));
  if (std::filesystem::exists("/dev/full")) {
    CHECK_THROWS_WITH(rt.save_trace("/dev/full"),
                      Catch::StartsWith("save_trace: /dev/full: cannot be written: "
                                        "No space left on device (trace_test.cpp:"));
  }
}

TEST_CASE("a trace that does not fit on the disk leaves the older file") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  run_some(rt);
  const temporary_folder folder;
  const auto path = put_bytes(folder / "trace.json", "older");
  {
    const file_size_limit small(100);
    CHECK_THROWS_WITH(rt.save_trace(path),
                      Catch::StartsWith("save_trace: " + path +
                                        ": cannot be written: File too large (trace_test.cpp:"));
  }
  CHECK(bytes_in(path) == "older");
  CHECK(folder.names() == "trace.json ");
}

TEST_CASE("the overlap of a known program is measured correctly") {
  trace_log log;
  log.lanes = {"a", "b", "idle"};
  const auto start = now();
  const auto event = [&](std::uint64_t sequence, std::int16_t lane, ticks from, ticks until,
                         std::uint64_t input) {
    task_event e;
    e.sequence = sequence;
    e.lane = lane;
    e.started = start + from;
    e.ended = start + until;
    e.inputs[0] = input;
    log.events.push_back(e);
  };
  const ticks unit = 1'000'000;
  event(1, 0, 0, 2 * unit, 0);
  event(2, 1, 0, 3 * unit, 0);
  event(3, 0, 2 * unit, 4 * unit, 1);
  event(4, 1, 3 * unit, 4 * unit, 3);
  const auto r = measure_overlap(log);
  const auto in_units = [&](double seconds) {
    return seconds / seconds_between(start, start + unit);
  };
  CHECK(r.tasks == 4);
  CHECK(in_units(r.wall) == Approx(4));
  CHECK(in_units(r.work) == Approx(8));
  CHECK(in_units(r.critical_path) == Approx(5));
  CHECK(r.factor() == Approx(2));
  REQUIRE(r.lanes.size() == 2);
  CHECK(r.lanes[1].name == "b");
  CHECK(r.lanes[1].tasks == 2);
  CHECK(in_units(r.lanes[1].busy) == Approx(4));
  std::stringstream text;
  text << r;
  CHECK_THAT(text.str(),
             Catch::StartsWith("4 tasks: wall ") && Catch::Contains("overlap factor 2.00\n"));
  CHECK(measure_overlap({}).factor() == 0);
}
