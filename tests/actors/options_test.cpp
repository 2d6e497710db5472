// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "troupe/actors/option_table.hpp"
#include "troupe/actors/runtime.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/devices/cpu/features.hpp"
#include "troupe/tests/actors/test_operations.hpp"
#include "troupe/tests/memory_sizes.hpp"

using namespace troupe;
using namespace troupe::testing;
using Catch::Contains;

namespace {

/// Scope in which these environment variables of the options are set, and the others are not.
class environment {
 public:
  environment(std::initializer_list<std::pair<std::string, std::string>> set = {}) {
    for (const auto& row : all_options()) {
      const char* text = std::getenv(row.variable);
      before_.push_back(text ? std::optional<std::string>(text) : std::nullopt);
      unsetenv(row.variable);
    }
    for (const auto& [name, text] : set) setenv(name.c_str(), text.c_str(), 1);
  }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment() {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const char* name = all_options()[i].variable;
      if (before_[i]) setenv(name, before_[i]->c_str(), 1);
      else unsetenv(name);
    }
  }

 private:
  std::vector<std::optional<std::string>> before_;
};

/// Returns the error of completing these options; empty if there is none.
std::string refusal(const runtime_options& given) {
  try {
    complete(given);
  } catch (const error& e) { return e.what(); }
  return "";
}

/// Returns texts that a variable may say: its words, or the least and the greatest number.
std::vector<std::string> good_texts(const option_row& row) {
  std::vector<std::string> texts;
  for (const auto word : allowed_words(row)) texts.emplace_back(word);
  if (texts.empty()) texts = {std::to_string(row.least), std::to_string(row.greatest)};
  return texts;
}

}  // namespace

TEST_CASE("a runtime keeps to the options given in code, whatever the environment says") {
  const environment set{{"TROUPE_LANES", "7"}, {"TROUPE_MEMORY_LIMIT", "nonsense"}};
  runtime rt({.lanes = 3, .cpu_devices = 2, .memory_limit = 5 * mebibyte, .gpus = 0, .seed = 42});
  CHECK(rt.options().lanes == 3);
  CHECK(rt.options().memory_limit == 5 * mebibyte);
  CHECK(rt.devices().size() == 2);
  CHECK(rt.devices()[1]->lanes() == 3);
  CHECK(rt.engine().random_key() == 42);
  CHECK_THROWS_AS(runtime({.lanes = 0}), error);
}

TEST_CASE("every option comes from code, else from the environment, else from its default") {
  for (const auto& row : all_options()) {
    INFO(row.variable);
    if (row.name.empty() || row.kind == option_kind::text) continue;
    const auto usual = [&] {
      const environment none;
      return *row.get(complete({}));
    }();
    CHECK(usual >= row.least);
    CHECK(usual <= row.greatest);
    for (const auto in_environment : {row.least, row.greatest}) {
      const environment set{{row.variable, std::to_string(in_environment)}};
      CHECK(row.get(complete({})) == in_environment);
      for (const auto in_code : {row.least, row.greatest}) {
        runtime_options given;
        row.set(given, in_code);
        CHECK(row.get(complete(given)) == in_code);
      }
    }
    const environment empty{{row.variable, ""}};
    CHECK(row.get(complete({})) == usual);
  }
}

TEST_CASE("what a variable may say is taken, and else it is refused, naming it, text and range") {
  for (const auto& row : all_options()) {
    if (row.kind == option_kind::text) continue;
    for (const auto& text : good_texts(row)) {
      const environment set{{row.variable, text}};
      CHECK(refusal({}) == "");
    }
    for (const std::string text : {"many", "-1", "1.5", "1 ", " 1", "01x", "1KB", "1e9",
                                   "99999999999999999999", "99999999T", "x86-64-v5"}) {
      const environment set{{row.variable, text}};
      CHECK(refusal({}) == "runtime: " + std::string(row.variable) + " is \"" + text + "\", not " +
                               range_text(row));
    }
  }
}

TEST_CASE("what code gives out of range is refused, naming option, value and range") {
  const environment none;
  for (const auto& row : all_options()) {
    if (row.name.empty() || row.kind == option_kind::text) continue;
    const auto refused = [&](std::uint64_t number, const std::string& text) {
      runtime_options given;
      row.set(given, number);
      CHECK(refusal(given) ==
            "runtime: " + std::string(row.name) + " is " + text + ", not " + range_text(row));
    };
    if (row.kind == option_kind::flag) continue;
    if (row.least > 0) refused(row.least - 1, std::to_string(row.least - 1));
    if (row.greatest + 1 > row.greatest)
      refused(row.greatest + 1, std::to_string(row.greatest + 1));
    if (row.kind == option_kind::count) refused(static_cast<std::uint64_t>(-2), "-2");
  }
}

TEST_CASE("nodes and their key come from code, else from the environment") {
  const environment set{{"TROUPE_NODES", "host1:1,,host2:2,"}, {"TROUPE_KEY", "some.key"}};
  CHECK(complete({}).nodes == std::vector<std::string>{"host1:1", "host2:2"});
  CHECK(complete({}).key == "some.key");
  runtime_options given;
  given.nodes = {"host3:3"};
  given.key = "other.key";
  CHECK(complete(given).nodes == std::vector<std::string>{"host3:3"});
  CHECK(complete(given).key == "other.key");
}

TEST_CASE("errors say what is allowed") {
  const auto refused = [](const char* name, const char* text) {
    const environment set{{name, text}};
    return refusal({});
  };
  CHECK(refused("TROUPE_LANES", "many") ==
        "runtime: TROUPE_LANES is \"many\", not a number from 1 to 64");
  CHECK(refused("TROUPE_SYNC", "yes") == "runtime: TROUPE_SYNC is \"yes\", not 0 or 1");
  CHECK(refused("TROUPE_TF32", "on") == "runtime: TROUPE_TF32 is \"on\", not 0 or 1");
  CHECK(refused("TROUPE_INSTRUCTION_SET", "x86-64-v5") ==
        "runtime: TROUPE_INSTRUCTION_SET is \"x86-64-v5\", not baseline, x86-64-v3 or x86-64-v4");
  CHECK(refused("TROUPE_STRICT_MEMORY", "2") ==
        "runtime: TROUPE_STRICT_MEMORY is \"2\", not 0 or 1");
  for (const auto* limit : {"0", "-1", "1K", "16E", "1 M", "9223372036854775808", "9999999999T"})
    CHECK(refused("TROUPE_MEMORY_LIMIT", limit) ==
          "runtime: TROUPE_MEMORY_LIMIT is \"" + std::string(limit) +
              "\", not a number from 1048576 to 9223372036854775807");
  CHECK(refusal({.memory_limit = 1'000}) ==
        "runtime: memory_limit is 1000, not a number from 1048576 to 9223372036854775807");
}

TEST_CASE("each instruction set can be asked for") {
  for (const auto& row : all_options()) {
    if (std::string_view(row.variable) != "TROUPE_INSTRUCTION_SET") continue;
    const auto words = allowed_words(row);
    CHECK(words.size() == static_cast<std::size_t>(instruction_set::x86_64_v4) + 1);
    for (const auto word : words) CHECK(find_instruction_set(word));
  }
}

TEST_CASE("the defaults fill in every option; lanes are a device's share of the cores") {
  const environment none;
  CHECK(complete({}).lanes == std::clamp(available_cores() / *complete({}).cpu_devices, 1, 64));
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

TEST_CASE("sizes and counts may be written with a unit") {
  const auto limit = [](const char* text) {
    const environment set{{"TROUPE_MEMORY_LIMIT", text}};
    return *complete({}).memory_limit;
  };
  CHECK(limit("1048576") == mebibyte);
  CHECK(limit("2048K") == 2 * mebibyte);
  CHECK(limit("512m") == 512 * mebibyte);
  CHECK(limit("3G") == 3 * 1024 * mebibyte);
  CHECK(limit("1T") == 1024 * 1024 * mebibyte);
  const environment set{{"TROUPE_MAX_PENDING", "16K"}};
  CHECK(complete({}).max_pending == 16384);
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
}

TEST_CASE("a missing device is refused, naming those that exist") {
  runtime rt({.lanes = 1, .cpu_devices = 2, .gpus = 0});
  CHECK_THROWS_WITH(
      rt.memory(cpu(2)),
      Contains(
          "memory: there is no device cpu:2; this runtime has cpu:0, cpu:1 (options_test.cpp:"));
  CHECK_THROWS_WITH(rt.memory(gpu(0)), Contains("there is no device gpu:0"));
}
