// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <cfenv>
#include <future>
#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/error_of.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Runs code on x and returns the thread that ran it.
std::thread::id thread_of(const tensor& x, const call_options& options) {
  std::promise<std::thread::id> told;
  auto thread = told.get_future();
  const auto y = call(
      "told", {x}, {float32, {}},
      [told = std::move(told)](const inputs&, outputs& out) mutable {
        out[0].span<float>()[0] = 1;
        told.set_value(std::this_thread::get_id());
      },
      options);
  y.wait();
  return thread.get();
}

}  // namespace

TEST_CASE("code that may run at once runs on the calling thread, other code never does") {
  runtime rt({.lanes = 2});
  const auto x = ones({3});
  x.wait();
  const auto me = std::this_thread::get_id();
  CHECK(thread_of(x, {.cost = 100ns, .at_once = true}) == me);
  CHECK(thread_of(x, {.cost = 100ns}) != me);
  CHECK(thread_of(x, {}) != me);
}

TEST_CASE("code that may run at once waits for its inputs, and the calling thread does not") {
  runtime rt({.lanes = 2});
  std::promise<void> go;
  const auto slow = call("slow", {ones({1})}, {float32, {}},
                         [ready = go.get_future().share()](const inputs&, outputs& out) {
                           ready.wait();
                           out[0].span<float>()[0] = 2;
                         });
  const auto y = call(
      "read", {slow}, {float32, {}},
      [](const inputs& in, outputs& out) { out[0].span<float>()[0] = 3 * in[0].span<float>()[0]; },
      {.cost = 100ns, .at_once = true});
  CHECK_FALSE(y.ready());
  go.set_value();
  CHECK(y.item<float>() == 6);
}

TEST_CASE("code that runs at once fails its outputs, and leaves the thread as it was") {
  runtime rt({.lanes = 1});
  const auto x = ones({1});
  x.wait();
  const call_options at_once{.cost = 100ns, .at_once = true};
  const auto fails = call(
      "fails", {x}, {float32, {}},
      [](const inputs&, outputs&) {
        std::fesetround(FE_UPWARD);
        throw std::runtime_error("no");
      },
      at_once);
  const int line = __LINE__ - 7;
  CHECK(std::fegetround() == FE_TONEAREST);
  CHECK(error_of([&] { fails.wait(); }) ==
        "fails: no; inputs float32[1] on cpu:0 (call_at_once_test.cpp:" + std::to_string(line) +
            ")");
  std::promise<void> go;
  const auto slow =
      effect("slow", {}, [ready = go.get_future().share()](const inputs&) { ready.wait(); });
  const auto waits = call(
      "waits", {x}, {float32, {}},
      [slow](const inputs&, outputs& out) {
        slow.wait();
        out[0].span<float>()[0] = 1;
      },
      at_once);
  CHECK_THAT(error_of([&] { waits.wait(); }), Catch::Contains("not possible inside an operation"));
  go.set_value();
}

TEST_CASE("many small calls that may run at once give what they should") {
  runtime rt({.lanes = GENERATE(1, 2, 8)});
  tensor x = zeros({4});
  for (int i = 0; i < 2'000; ++i) {
    x = call("step", {x}, {float32, {4}},
             [i](const inputs& in, outputs& out) {
               const auto from = in[0].span<float>();
               const auto to = out[0].span<float>();
               for (std::size_t k = 0; k < 4; ++k) to[k] = from[k] + static_cast<float>(i % 3);
             },
             {.cost = 200ns, .at_once = i % 5 != 0});
    if (i % 7 == 0) x = x + 1;
  }
  float expected = 0;
  for (int i = 0; i < 2'000; ++i) expected += static_cast<float>(i % 3) + (i % 7 == 0 ? 1.F : 0.F);
  for (const auto one : x.to_vector<float>()) CHECK(one == expected);
}
