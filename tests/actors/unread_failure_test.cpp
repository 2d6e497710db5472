// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/waiting.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Runs a program in a runtime and returns the lines that it tells when it ends.
std::vector<std::string> told(const std::function<void(runtime&)>& program,
                              const runtime_options& options = {.lanes = 2, .cpu_devices = 1}) {
  std::vector<std::string> lines;
  {
    runtime rt(options);
    rt.tell_failures_with([&](const std::string& line) { lines.push_back(line); });
    program(rt);
  }
  return lines;
}

/// Returns what is written on standard error meanwhile.
std::string written(const std::function<void()>& act) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file);
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  act();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::string text(4096, '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE("a failure that nobody has read is told when the runtime ends, with its line") {
  for (const bool synchronous : {false, true}) {
    CAPTURE(synchronous);
    const auto line = std::to_string(__LINE__ + 1);
    const auto said = told([](runtime& rt) { failing(rt.engine(), "wrong number"); },
                           {.lanes = 1, .cpu_devices = 1, .synchronous = synchronous});
    CHECK(said == std::vector<std::string>{
                      "body: wrong number on cpu:0 (unread_failure_test.cpp:" + line + ")"});
  }
}

TEST_CASE("the first of several failures is told, and how many others there are") {
  for (const bool synchronous : {false, true}) {
    CAPTURE(synchronous);
    const auto said = told(
        [](runtime& rt) {
          auto& e = rt.engine();
          const auto first = failing(e, "first");
          for (int i = 0; i < 3; ++i) increment(e, first);  // no failures of their own
          for (int i = 0; i < 2'000; ++i) failing(e, "later");
        },
        {.lanes = 2, .cpu_devices = 1, .synchronous = synchronous});
    REQUIRE(said.size() == 1);
    CHECK_THAT(said[0], Catch::StartsWith("body: first on cpu:0 (unread_failure_test.cpp:"));
    CHECK_THAT(said[0], Catch::EndsWith("), and up to 2000 more"));
  }
}

TEST_CASE("failures that a client has seen are not told, and neither are cancelled tasks") {
  CHECK(told([](runtime&) {}).empty());
  CHECK(told([](runtime& rt) {
          auto& e = rt.engine();
          const auto waited = failing(e, "waited for"), behind = increment(e, failing(e, "read"));
          CHECK_THROWS_AS(waited.wait(), task_error);
          CHECK_THROWS_AS(behind.item<double>(), task_error);
        }).empty());
  CHECK(told([](runtime& rt) {
          for (int i = 0; i < 5; ++i) failing(rt.engine(), "wrong");
          CHECK_THROWS_AS(rt.wait_all(), task_error);
        }).empty());
  CHECK(told([](runtime& rt) {
          gate g;
          const auto running = gated(rt.engine(), g);
          g.await_inside(1);
          const auto one = increment(rt.engine(), running), other = increment(rt.engine(), running);
          cancel(one);
          rt.cancel_all();
        }).empty());
}

TEST_CASE("a synchronous runtime does not keep failures that were read for ever") {
  runtime rt({.lanes = 1, .cpu_devices = 1, .synchronous = true});
  const auto read_one = [&rt] {
    const auto x = failing(rt.engine(), "wrong");
    CHECK_THROWS_AS(x.wait(), task_error);
    return std::weak_ptr(x.source()->why());
  };
  const auto first = read_one();
  for (int i = 0; i < 2'000; ++i) read_one();
  CHECK(first.expired());
}

TEST_CASE("an unread failure is told on standard error by default, which an option prevents") {
  const auto program = [](std::optional<bool> tell) {
    return written([&] {
      runtime rt({.lanes = 1, .cpu_devices = 1, .tell_failures = tell});
      failing(rt.engine(), "wrong");
    });
  };
  CHECK_THAT(program({}),
             Catch::StartsWith("troupe: nobody has read this failure: body: wrong on cpu:0 ("));
  CHECK_THAT(program({}), Catch::EndsWith(")\n"));
  CHECK(program(false).empty());
}

TEST_CASE("whoever is told of failures may throw; the runtime ends all the same") {
  const auto x = [] {
    runtime rt({.lanes = 1, .cpu_devices = 1});
    rt.tell_failures_with([](const std::string&) { throw std::runtime_error("no"); });
    return failing(rt.engine(), "wrong");
  }();
  CHECK(x.failed());
}
