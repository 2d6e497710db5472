// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <atomic>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;

TEST_CASE("a failure poisons every value computed from it, on every device, and nothing else") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  auto& e = rt.engine();
  const auto good = filled(e, {}, 2);
  const auto bad = failing(e, "on purpose", {good});
  const auto from_bad = plus(e, good, bad), further = plus(e, from_bad, good),
             elsewhere = to(further, cpu(1)), after_copy = increment(e, elsewhere);
  const auto beside = plus(e, good, good), copied = to(beside, cpu(1));
  const auto text = error_of(bad);
  CHECK_THAT(text, StartsWith("body: on purpose"));
  for (const auto& x : {from_bad, further, elsewhere, after_copy}) {
    CHECK(error_of(x) == text);
    CHECK(x.failed());
    CHECK_FALSE(x.ready());
  }
  CHECK(good.item<double>() == 2);
  CHECK(copied.item<double>() == 4);
}

TEST_CASE("every read of a failed tensor throws, not only the first") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  const auto bad = failing(rt.engine(), "on purpose");
  for (int i = 0; i < 3; ++i) {
    CHECK_THROWS_AS(bad.wait(), task_error);
    CHECK_THROWS_AS(bad.item<double>(), task_error);
    CHECK_THROWS_AS(bad.to_vector<double>(), task_error);
    CHECK_THROWS_AS(bad.wait_for(std::chrono::seconds(1)), task_error);
  }
  CHECK_THROWS_AS(increment(rt.engine(), bad).wait(), task_error);
}

TEST_CASE(
    "an error names the operation, what went wrong, the inputs, the device, and the user's line") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  const auto x = filled(rt.engine(), {2, 3}, 0, {.device = cpu(1)});
  const auto line = std::to_string(__LINE__ + 1);
  const auto bad = failing(rt.engine(), "on purpose", {x, x});
  CHECK(error_of(bad) ==
        "body: on purpose; inputs float64[2,3], float64[2,3] on cpu:1 (failure_test.cpp:" + line +
            ")");
  try {
    bad.wait();
  } catch (const task_error& e) { CHECK(std::to_string(e.where().line()) == line); }
}

TEST_CASE("the first of several failed inputs is the reason") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  auto& e = rt.engine();
  for (int i = 0; i < 100; ++i) {
    const auto a = failing(e, "first"), b = failing(e, "second");
    CHECK_THAT(error_of(plus(e, b, a)), StartsWith("body: second"));
  }
}

TEST_CASE("wait_all throws the first failure in program order and how many more there are, once") {
  runtime rt({.lanes = 4, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto first = failing(e, "the first", {gated(e, g)});  // fails last
  const auto second = failing(e, "the second"), third = failing(e, "the third"),
             poisoned = plus(e, second, third);
  CHECK_THROWS(third.wait());
  g.open();
  CHECK_THROWS_WITH(rt.wait_all(),
                    StartsWith("body: the first") && EndsWith(", and 1 more failure"));
  CHECK_NOTHROW(rt.wait_all());
  CHECK_THROWS_WITH(first.wait(), StartsWith("body: the first") && EndsWith(")"));
  failing(e, "a new one");
  CHECK_THROWS_WITH(rt.wait_all(), StartsWith("body: a new one"));
}

TEST_CASE("wait_all counts all failures, however many, and finds the first of them") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  for (int i = 0; i < 3'000; ++i) failing(rt.engine(), "number " + std::to_string(i));
  CHECK_THROWS_WITH(rt.wait_all(), StartsWith("body: number 0;") || StartsWith("body: number 0 "));
  for (int i = 0; i < 3'000; ++i) failing(rt.engine(), "number " + std::to_string(i));
  CHECK_THROWS_WITH(rt.wait_all(), EndsWith(", and up to 2999 more failures"));
}

TEST_CASE("failures that were read do not hide a new one from wait_all") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  for (int i = 0; i < 1'500; ++i) CHECK_THROWS(failing(rt.engine(), "read").wait());
  failing(rt.engine(), "not read");
  CHECK_THROWS_WITH(rt.wait_all(), StartsWith("body: not read"));
}

TEST_CASE("a task that lanes share fails like any other") {
  runtime rt({.lanes = 4, .cpu_devices = 1});
  for (int round = 0; round < 100; ++round) {
    const auto x = call(rt.engine(), {}, {8},
                        [round](const kernel_args&, auto first, auto) {
                          if (first == round % 8)
                            throw std::runtime_error("in chunk " + std::to_string(first));
                        },
                        {.nanoseconds = 1e6, .chunks = 8});
    const auto after = increment(rt.engine(), x);
    CHECK_THAT(error_of(after), StartsWith("chunked: in chunk " + std::to_string(round % 8)));
  }
}

TEST_CASE("an operation may throw anything, not only a std::exception") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  const auto chunks = GENERATE(-1, 3);
  const auto x = call(rt.engine(), {}, {}, [](const kernel_args&, auto, auto) { throw 42; },
                      {.nanoseconds = 1e6, .chunks = chunks});
  CHECK_THAT(error_of(x), Contains("an exception that is no std::exception"));
  CHECK(filled(rt.engine(), {}, 1).item<double>() == 1);
}

TEST_CASE("an allocation that fails fails its value alone, and the runtime goes on") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  const shape huge{std::int64_t{1} << 45};
  const auto x = filled(rt.engine(), huge, 0);
  const auto y = increment(rt.engine(), x), z = to(y, cpu(1));
  CHECK_THAT(
      error_of(x),
      StartsWith("body: out of memory: 256.0 TiB cannot be had on cpu:0 (failure_test.cpp:"));
  const shape far_too_large{std::int64_t{1} << 20, std::int64_t{1} << 26};
  CHECK_THROWS_WITH(zeros(far_too_large).wait(), StartsWith("zeros: out of memory: 256.0 TiB "));
  CHECK_THROWS_WITH(ones(far_too_large).wait(), StartsWith("ones: out of memory: 256.0 TiB "));
  CHECK_THROWS_WITH(full(far_too_large, 2).wait(), StartsWith("full: out of memory: 512.0 TiB "));
  CHECK(error_of(z) == error_of(x));
  CHECK(filled(rt.engine(), {1'000}, 3).to_vector<double>() == std::vector<double>(1'000, 3));
  CHECK_NOTHROW(rt.wait_all());  // it has been read
}

TEST_CASE("a failed or poisoned task releases its inputs") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  auto& e = rt.engine();
  auto x = filled(e, {100'000}, 0);
  const auto bad = failing(e, "on purpose", {x}),
             poisoned = call(e, {bad, x}, {}, [](const kernel_args&, auto, auto) {});
  x = tensor();
  CHECK_THROWS(poisoned.wait());
  rt.wait_all();
  CHECK(rt.memory().live == 0);
}
