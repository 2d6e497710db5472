// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "troupe/actors/frontend_actor.hpp"
#include "troupe/actors/runtime.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;
using Catch::Contains;

namespace {

/// Scope in which these environment variables of the options are set, and the others are not.
class environment {
 public:
  environment(std::initializer_list<std::pair<const char*, const char*>> set) {
    for (const char* name : names_) {
      const char* text = std::getenv(name);
      before_.push_back(text ? std::optional<std::string>(text) : std::nullopt);
      unsetenv(name);
    }
    for (const auto& [name, text] : set) setenv(name, text, 1);
  }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment() {
    for (std::size_t i = 0; i < std::size(names_); ++i) {
      if (before_[i]) setenv(names_[i], before_[i]->c_str(), 1);
      else unsetenv(names_[i]);
    }
  }

 private:
  static constexpr const char* names_[] = {
      "TROUPE_LANES",        "TROUPE_CPU_DEVICES", "TROUPE_MEMORY_LIMIT", "TROUPE_MAX_PENDING",
      "TROUPE_TRACE_EVENTS", "TROUPE_SEED",        "TROUPE_SYNC",         "TROUPE_INSTRUCTION_SET"};
  std::vector<std::optional<std::string>> before_;
};

constexpr std::size_t mebibyte = std::size_t{1} << 20;

}  // namespace

TEST_CASE("options given in code are in force, whatever the environment says") {
  const environment set{{"TROUPE_LANES", "7"}, {"TROUPE_MEMORY_LIMIT", "nonsense"}};
  runtime rt({.lanes = 3,
              .cpu_devices = 2,
              .memory_limit = 5 * mebibyte,
              .max_pending = 99,
              .trace_events = 17,
              .seed = 42,
              .synchronous = false});
  const auto& o = rt.options();
  CHECK(o.lanes == 3);
  CHECK(o.cpu_devices == 2);
  CHECK(o.memory_limit == 5 * mebibyte);
  CHECK(o.max_pending == 99);
  CHECK(o.trace_events == 17);
  CHECK(o.seed == 42u);
  CHECK(o.synchronous == false);
  CHECK(rt.devices().size() == 2);
  CHECK(rt.devices()[1]->lanes() == 3);
  CHECK(rt.engine().random_key() == 42);
}

TEST_CASE("options left empty come from the environment") {
  const environment set{{"TROUPE_LANES", "3"},         {"TROUPE_CPU_DEVICES", "2"},
                        {"TROUPE_MEMORY_LIMIT", "5M"}, {"TROUPE_MAX_PENDING", "99"},
                        {"TROUPE_TRACE_EVENTS", "17"}, {"TROUPE_SEED", "42"},
                        {"TROUPE_SYNC", "1"}};
  const auto o = complete({});
  CHECK(o.lanes == 3);
  CHECK(o.cpu_devices == 2);
  CHECK(o.memory_limit == 5 * mebibyte);
  CHECK(o.max_pending == 99);
  CHECK(o.trace_events == 17);
  CHECK(o.seed == 42u);
  CHECK(o.synchronous == true);
}

TEST_CASE("the defaults fill in every option; lanes are a device's share of the cores") {
  const environment none{};
  for (int devices : {1, 2, 64}) {
    const auto o = complete({.cpu_devices = devices});
    CHECK(o.lanes == std::clamp(available_cores() / devices, 1, 64));
    CHECK(*o.memory_limit >= mebibyte);
    CHECK(*o.max_pending >= 16);
    CHECK(o.trace_events.has_value());
    CHECK(o.seed == 0u);
    CHECK(o.synchronous == false);
  }
}

TEST_CASE("a variable that is set but empty counts as not set") {
  const environment set{{"TROUPE_LANES", ""}, {"TROUPE_MEMORY_LIMIT", ""}, {"TROUPE_SYNC", ""}};
  CHECK(complete({}).lanes == std::min(available_cores(), 64));
  CHECK(complete({}).synchronous == false);
}

TEST_CASE("an unknown instruction set is refused") {
  for (const char* known : {"baseline", "x86-64-v3", "x86-64-v4", ""}) {
    const environment e({{"TROUPE_INSTRUCTION_SET", known}});
    CHECK_NOTHROW(complete({}));
  }
  const environment e({{"TROUPE_INSTRUCTION_SET", "x86-64-v5"}});
  CHECK_THROWS_WITH(complete({}),
                    "runtime: TROUPE_INSTRUCTION_SET is \"x86-64-v5\", not baseline, x86-64-v3 or "
                    "x86-64-v4");
}

TEST_CASE("sizes may be written with a unit") {
  const auto limit = [](const char* text) {
    const environment set{{"TROUPE_MEMORY_LIMIT", text}};
    return *complete({}).memory_limit;
  };
  CHECK(limit("1048576") == mebibyte);
  CHECK(limit("2048K") == 2 * mebibyte);
  CHECK(limit("512m") == 512 * mebibyte);
  CHECK(limit("3G") == 3 * 1024 * mebibyte);
  CHECK(limit("1T") == 1024 * 1024 * mebibyte);
}

TEST_CASE("options out of range are refused, naming option, value and range") {
  const environment none{};
  CHECK_THROWS_WITH(complete({.lanes = 0}), "runtime: lanes is 0, not a number from 1 to 64");
  CHECK_THROWS_WITH(complete({.lanes = -2}), "runtime: lanes is -2, not a number from 1 to 64");
  CHECK_THROWS_WITH(complete({.lanes = 65}), "runtime: lanes is 65, not a number from 1 to 64");
  CHECK_THROWS_WITH(complete({.cpu_devices = 65}),
                    "runtime: cpu_devices is 65, not a number from 1 to 64");
  CHECK_THROWS_WITH(
      complete({.memory_limit = 1'000}),
      "runtime: memory_limit is 1000, not a number from 1048576 to 9223372036854775807");
  CHECK_THROWS_WITH(complete({.max_pending = 15}),
                    "runtime: max_pending is 15, not a number from 16 to 1073741824");
  CHECK_THROWS_WITH(complete({.trace_events = -1}),
                    "runtime: trace_events is -1, not a number from 0 to 16777216");
  CHECK_THROWS_AS(runtime({.lanes = 0}), error);
}

TEST_CASE(
    "variables that are no number or out of range are refused, naming the variable and its text") {
  const auto refused = [](const char* name, const char* text) {
    const environment set{{name, text}};
    try {
      complete({});
    } catch (const error& e) { return std::string(e.what()); }
    return std::string();
  };
  CHECK(refused("TROUPE_LANES", "many") ==
        "runtime: TROUPE_LANES is \"many\", not a number from 1 to 64");
  CHECK(refused("TROUPE_LANES", "0") ==
        "runtime: TROUPE_LANES is \"0\", not a number from 1 to 64");
  for (const char* text : {"-1", "1.5", "4 ", " 4", "4x", "1K", "99999999999999999999"}) {
    INFO(text);
    CHECK_THAT(refused("TROUPE_LANES", text),
               Contains(std::string("TROUPE_LANES is \"") + text + '"'));
  }
  for (const char* text : {"G", "1GB", "99999999T", "10", "1e9"}) {
    INFO(text);
    CHECK_THAT(refused("TROUPE_MEMORY_LIMIT", text),
               Contains(std::string("TROUPE_MEMORY_LIMIT is \"") + text + '"'));
  }
  CHECK(refused("TROUPE_SYNC", "yes") ==
        "runtime: TROUPE_SYNC is \"yes\", not a number from 0 to 1");
}

TEST_CASE("TROUPE_SYNC runs each task at once on the thread that submits it") {
  const environment set{{"TROUPE_SYNC", "1"}};
  runtime rt;
  std::thread::id ran_by;
  const auto x = call(rt.engine(), {}, {}, [&](const kernel_args& a, auto, auto) {
    ran_by = std::this_thread::get_id();
    *begin(a.outputs[0]) = 3;
  });
  CHECK(x.ready());
  CHECK(ran_by == std::this_thread::get_id());
  failing(rt.engine(), "on purpose");
  CHECK_THROWS_WITH(rt.wait_all(), Contains("on purpose"));
  rt.cancel_all();
  CHECK(rt.trace().events.size() == 2);
  CHECK_THROWS_WITH(frontend_of(rt), Contains("a synchronous runtime has no actors"));
}

TEST_CASE("a missing device is refused, naming those that exist") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  CHECK_THROWS_WITH(
      rt.memory(cpu(2)),
      Contains(
          "memory: there is no device cpu:2; this runtime has cpu:0, cpu:1 (options_test.cpp:"));
  CHECK_THROWS_WITH(rt.memory(gpu(0)), Contains("there is no device gpu:0"));
}
