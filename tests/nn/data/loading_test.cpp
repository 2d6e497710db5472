// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/nn/data/array_dataset.hpp"
#include "troupe/nn/data/batches.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/actors/gate.hpp"
#include "troupe/tests/memory_sizes.hpp"

using namespace troupe;
using namespace troupe::nn;
using namespace troupe::testing;
using namespace std::chrono_literals;
using troupe::testing::gate;

namespace {

/// Returns samples of a mebibyte each, filled with their number. Reading one takes a while.
dataset large_samples(std::int64_t count, std::chrono::microseconds a_while = 0us) {
  return dataset_of(count, {{float32, {1 << 18}}}, [a_while](std::int64_t i, outputs& into) {
    std::this_thread::sleep_for(a_while);
    std::ranges::fill(into[0].span<float>(), static_cast<float>(i));
  });
}

/// Performs a slow step of a model: adds the batch's first number to the state.
tensor step(const tensor& state, const tensor& x, std::chrono::microseconds a_while = 0us) {
  return call("step", {state, x}, {float64, {}}, [a_while](const inputs& in, outputs& out) {
    std::this_thread::sleep_for(a_while);
    out[0].span<double>()[0] = in[0].item<double>() + static_cast<double>(in[1].span<float>()[0]);
  });
}

/// Returns the greatest number of events of a name that ran at the same time.
int most_at_once(const trace_log& log, std::string_view name) {
  std::map<ticks, int> changes;
  for (const auto& e : log.events) {
    if (e.name == name) ++changes[e.started], --changes[e.ended];
  }
  int now = 0, most = 0;
  for (const auto& [when, change] : changes) most = std::max(most, now += change);
  return most;
}

}  // namespace

TEST_CASE("without a sync point, a slow model's batches take the memory of a few") {
  const int lanes = GENERATE(1, 2, 4);
  runtime rt({.lanes = lanes, .cpu_devices = 1});
  tensor state = zeros({}, float64);
  batches all(large_samples(300), {.size = 1, .prefetch = 2});
  for (auto& b : all) state = step(state, b[0], 300us);
  CHECK(state.item<double>() == 299 * 150);
  CHECK(rt.memory().peak <= 3 * mebibyte);
  CHECK(all.memory().peak <= 3 * mebibyte);
  rt.wait_all();
  CHECK(rt.memory().live == 0);
}

TEST_CASE("without a sync point, a slow loader's batches take the memory of a few") {
  const int lanes = GENERATE(1, 2, 4);
  runtime rt({.lanes = lanes, .cpu_devices = 1});
  tensor state = zeros({}, float64);
  for (auto& b : batches(large_samples(300, 300us), {.size = 1, .prefetch = 2}))
    state = step(state, b[0]);
  CHECK(state.item<double>() == 299 * 150);
  CHECK(rt.memory().peak <= 3 * mebibyte);
}

TEST_CASE("a loop with slow code of its own, but faster than the model, takes no more memory") {
  // Here every load ends before its reader is submitted, so only credits hold the next one back.
  runtime rt({.lanes = 2, .cpu_devices = 1});
  tensor state = zeros({}, float64);
  for (auto& b : batches(large_samples(100), {.size = 1, .prefetch = 2})) {
    while (!b[0].ready()) std::this_thread::yield();
    state = step(state, b[0], 1ms);
  }
  CHECK(state.item<double>() == 99 * 50);
  CHECK(rt.memory().peak <= 3 * mebibyte);
}

TEST_CASE("shuffled arrays and batches on another device keep to their credits as well") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  const auto x = arange(100).astype(float32).reshape({100, 1}) * ones({1, 1 << 18});
  x.wait();
  rt.wait_all();
  const auto before = rt.memory().live;
  tensor state = zeros({}, {.dtype = float64, .device = cpu(1)});
  batches all(array_dataset(x), {.size = 1, .shuffle = true, .prefetch = 2, .device = cpu(1)});
  for (auto& b : all) state = step(state, b[0].reshape({1 << 18}), 300us);
  CHECK(state.item<double>() == 99 * 50);
  CHECK(all.memory().peak <= 3 * mebibyte);
  CHECK(all.memory(cpu(0)).peak <= 3 * mebibyte);
  CHECK(all.memory().peak >= mebibyte);
  CHECK(rt.memory(cpu(1)).peak <= 5 * mebibyte);
  CHECK(rt.memory(cpu(0)).live <= before + mebibyte);
}

TEST_CASE("a loop that keeps all batches gets all of them") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  std::vector<tensor> kept;
  for (auto& b : batches(large_samples(40), {.size = 1, .prefetch = 1})) kept.push_back(b[0]);
  for (std::size_t i = 0; i < kept.size(); ++i)
    REQUIRE(kept[i][0][7].item<float>() == static_cast<float>(i));
}

TEST_CASE("the next batches are loaded while the model computes") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  gate model;
  std::vector<tensor> seen;
  for (auto& b : batches(large_samples(3), {.size = 1, .prefetch = 2})) {
    seen.push_back(b[0]);
    if (seen.size() == 1)
      effect("model", {b[0]}, [way = model.through()](const inputs&) { way.pass(); });
  }
  REQUIRE(model.await_inside(1));
  CHECK(seen[1].wait_for(30s));
  CHECK(seen[2].wait_for(30s));
  model.open();
}

TEST_CASE("nothing in the loop waits for a load or for the model") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate reading;
  const auto slow =
      dataset_of(50, {{float32, {4}}}, [way = reading.through()](auto, outputs& into) {
        way.pass();
        into[0] = std::vector<float>(4);
      });
  tensor sum = zeros({4});
  int taken = 0;
  for (auto& b : batches(slow, {.size = 5})) sum = sum + troupe::sum(b[0], 0), ++taken;
  CHECK(taken == 10);
  CHECK_FALSE(sum.ready());
  reading.open();
  CHECK(sum.to_vector<float>() == std::vector<float>(4, 0));
}

TEST_CASE("several lanes load at once: different batches, and the samples of one batch") {
  runtime rt({.lanes = 4, .cpu_devices = 1});
  gate reading;
  const auto slow = dataset_of(64, {{float32, {}}}, [way = reading.through()](auto, outputs& into) {
    way.pass();
    into[0].span<float>()[0] = 1;
  });
  SECTION("batches") {
    batches all(slow, {.size = 1, .prefetch = 3});
    const auto first = all.begin();
    CHECK(reading.await_inside(4));
    reading.open();
  }
  SECTION("samples of one batch") {
    batches all(slow, {.size = 64, .prefetch = 0});
    const auto only = all.begin();
    // A lane that is asked to help before the task has begun may give up; two are sure to arrive in
    // time.
    CHECK(reading.await_inside(2));
    reading.open();
    CHECK(sum((*only)[0]).item<float>() == 64);
  }
}

TEST_CASE("a load that hangs keeps no other from a lane, however quick loads were before") {
  runtime rt({.lanes = 4, .cpu_devices = 1});
  gate reading;
  const auto data =
      dataset_of(40, {{float32, {}}}, [way = reading.through()](std::int64_t i, outputs& into) {
        if (i >= 30) way.pass();
        into[0].span<float>()[0] = 1;
      });
  int taken = 0;
  for (auto& b : batches(data, {.size = 1, .prefetch = 0})) {
    if (++taken <= 30) b[0].wait();
  }
  CHECK(reading.await_inside(2));
  reading.open();
  rt.wait_all();
}

TEST_CASE("loads and the model's steps overlap in the trace") {
  runtime rt({.lanes = 4, .cpu_devices = 1});
  gate reading, model;
  const auto data =
      dataset_of(3, {{float32, {64}}}, [way = reading.through()](std::int64_t i, outputs& into) {
        if (i > 0) way.pass();
        std::ranges::fill(into[0].span<float>(), 1.f);
      });
  for (auto& b : batches(data, {.size = 1, .prefetch = 3}))
    effect("step", {b[0]}, [way = model.through()](const inputs&) { way.pass(); });
  REQUIRE(model.await_inside(1));
  REQUIRE(reading.await_inside(2));
  reading.open();
  model.open();
  rt.wait_all();
  const auto log = rt.trace();
  CHECK(most_at_once(log, "load") >= 2);
  int beside = 0;
  for (const auto& s : log.events) {
    if (s.name == "step")
      beside += std::ranges::any_of(log.events, [&](const auto& l) {
        return l.name == "load" && l.lane != s.lane && l.started < s.ended && l.ended > s.started;
      });
  }
  CHECK(beside > 0);
}

TEST_CASE("an epoch's batches are bit-equal on any number of lanes and the synchronous engine") {
  std::vector<std::vector<float>> results;
  const auto run = [&](const runtime_options& options) {
    runtime rt(options);
    const auto noisy = dataset_of(
        103, {{float32, {5}}, {int64, {}}}, [](std::int64_t i, outputs& into, random_bits& bits) {
          for (auto& v : into[0].span<float>())
            v = static_cast<float>(bits.uniform()) + static_cast<float>(i);
          into[1].span<std::int64_t>()[0] = i;
        });
    const auto scaled = noisy.map([](const inputs& in, outputs& into, random_bits& bits) {
      const auto factor = static_cast<float>(bits.uniform(1, 2));
      for (std::size_t k = 0; k < 5; ++k)
        into[0].span<float>()[k] = factor * in[0].span<float>()[k];
      into[1].span<std::int64_t>()[0] = in[1].item<std::int64_t>();
    });
    const auto w = normal({5, 3});
    batches all(scaled, {.size = 10, .shuffle = true});
    tensor state = zeros({3});
    std::vector<float> seen;
    for (int epoch = 0; epoch < 2; ++epoch) {
      for (auto [x, y] : all) {
        state = state * 0.5f + sum(x * y.astype(float32).expand_dims(1), 0).reshape({1, 5})[0][0];
        for (auto v : x.to_vector<float>()) seen.push_back(v);
      }
    }
    for (auto v : state.to_vector<float>()) seen.push_back(v);
    results.push_back(seen);
  };
  for (const int lanes : {1, 2, 8}) run({.lanes = lanes, .cpu_devices = 1, .seed = 5});
  run({.lanes = 1, .cpu_devices = 1, .seed = 5, .synchronous = true});
  for (const auto& r : results) CHECK(r == results[0]);
  CHECK(results[0].size() == 2 * 103 * 5 + 3);
}

TEST_CASE("a loop can be left cleanly by a break, an exception or the end of its runtime") {
  gate reading;
  std::atomic<int> read = 0;
  {
    runtime rt({.lanes = 2, .cpu_devices = 1});
    {
      const auto slow = dataset_of(1'000, {{float32, {100}}},
                                   [&read, way = reading.through()](auto, outputs& into) {
                                     way.pass();
                                     ++read;
                                     into[0] = std::vector<float>(100);
                                   });
      batches all(slow, {.size = 10, .prefetch = 5});
      for (auto& b : all) {
        CHECK(b.samples() == 10);
        break;
      }
      CHECK_THROWS_AS(
          [&] {
            for (auto& b : all)
              throw std::out_of_range("in the body of " + std::to_string(b.size()));
          }(),
          std::out_of_range);
    }  // the dataset is gone, and its loads are queued
    REQUIRE(reading.await_inside(1));
    reading.open();
  }
  // Only loads that had begun when the loops were left: other batches are not read.
  CHECK(read <= 4 * 10);
}

TEST_CASE("batches of a runtime that has ended are refused, and those taken can still be read") {
  std::optional<runtime> rt;
  rt.emplace(runtime_options{.lanes = 2, .cpu_devices = 1});
  batches all(large_samples(10), {.size = 1});
  auto at = all.begin();
  const auto x = (*at)[0];
  x.wait();
  rt.reset();
  CHECK(x[0][0].item<float>() == 0);
  CHECK_THROWS_WITH(
      ++at,
      Catch::StartsWith("batches: the runtime of its tensors, or that was chosen here, has ended"));
}
