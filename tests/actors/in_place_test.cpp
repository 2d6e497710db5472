// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/selection.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

const shape large{1 << 20};
constexpr std::size_t bytes = std::size_t{8} << 20;

}  // namespace

TEST_CASE("y = y + 1 on a large tensor stays in one or two buffers") {
  runtime rt({.lanes = GENERATE(1, 4), .cpu_devices = 1});
  tensor y = filled(rt.engine(), large, 0);
  for (int i = 0; i < 100; ++i) y = increment(rt.engine(), y);
  CHECK(y.to_vector<double>() == std::vector<double>(1 << 20, 100));
  CHECK(rt.memory().peak <= 2 * bytes);
  CHECK(rt.memory().live == bytes);
}

TEST_CASE("parts are assigned in the array itself where nobody else has it") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  tensor y = filled(rt.engine(), large, 0);
  y.wait();
  gate g;
  const auto busy = gated(rt.engine(), g);  // so that the handle lets go before the tasks run
  REQUIRE(g.await_inside(1));
  for (int i = 0; i < 10; ++i) {
    y.at(i) = i;
    y.at(tensor{i}) += 1;
  }
  g.open();
  CHECK(sum(y).item() == 55);
  CHECK(rt.memory().peak <= bytes + 100'000);
  const tensor kept = y;
  y.at(0) = 100;
  CHECK(kept[0].item() == 1);
  CHECK(y[0].item() == 100);
}

TEST_CASE("a value with another holder is never overwritten") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  auto& e = rt.engine();
  SECTION("a handle") {
    tensor y = filled(e, large, 0);
    const tensor old = y;
    for (int i = 0; i < 10; ++i) y = increment(e, y);
    CHECK(y.to_vector<double>() == std::vector<double>(1 << 20, 10));
    CHECK(old.to_vector<double>() == std::vector<double>(1 << 20, 0));
  }
  SECTION("a task that reads it later") {
    gate g;
    tensor y = filled(e, large, 5);
    const tensor late = call(e, {y, gated(e, g)}, {}, [](const kernel_args& a, auto, auto) {
      *begin(a.outputs[0]) = *begin(a.inputs[0]);
    });
    y = increment(e, y);
    y.wait();
    g.open();
    CHECK(late.item<double>() == 5);
  }
  SECTION("the same task, as another input") {
    tensor y = filled(e, large, 3);
    y = call(e, {y, y}, large,
             [](const kernel_args& a, auto, auto) {
               const auto n = a.outputs[0].size();
               for (std::int64_t i = 0; i < n; ++i)
                 begin(a.outputs[0])[i] = begin(a.inputs[0])[i] + begin(a.inputs[1])[n - 1 - i];
             },
             {.in_place = true});
    CHECK(y.to_vector<double>() == std::vector<double>(1 << 20, 6));
  }
  SECTION("a view of it") {
    tensor y = filled(e, large, 3);
    const tensor view = y.viewed(*y.view().reshape({1 << 10, 1 << 10}));
    y = increment(e, y);
    y.wait();
    CHECK(view.to_vector<double>() == std::vector<double>(1 << 20, 3));
  }
  SECTION("a copy on its way to another device") {
    for (int i = 0; i < 20; ++i) {
      tensor y = filled(e, large, i);
      const tensor there = to(y, cpu(1));
      y = increment(e, y);
      CHECK(there.to_vector<double>()[1000] == i);
      CHECK(y.to_vector<double>()[1000] == i + 1);
    }
  }
}

TEST_CASE("a failed in-place task poisons its output, and other readers of the input still run") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  auto& e = rt.engine();
  tensor y = filled(e, large, 1);
  const tensor sum = plus(e, y, y);
  y = call(e, {y}, large,
           [](const kernel_args& a, auto, auto) {
             *begin(a.outputs[0]) = 99;
             throw std::runtime_error("half way");
           },
           {.in_place = true});
  CHECK_THROWS(y.wait());
  CHECK(sum.to_vector<double>() == std::vector<double>(1 << 20, 2));
}

TEST_CASE("several outputs of one task take over the memory of as many inputs") {
  runtime rt({.lanes = GENERATE(1, 2), .cpu_devices = 1});
  auto& e = rt.engine();
  tensor x = filled(e, large, 1), y = filled(e, large, 2);
  const auto step = [](const kernel_args& a, auto, auto) {
    for (std::int64_t i = 0; i < a.outputs[0].size(); ++i) {
      const double u = begin(a.inputs[0])[i], v = begin(a.inputs[1])[i];
      begin(a.outputs[0])[i] = v;
      begin(a.outputs[1])[i] = u + v;
    }
  };
  const auto next = [&] {
    auto t = make_body({x, y}, step, {.in_place = true}, caller::current());
    const tensor_type types[] = {x.type(), y.type()};
    const auto both = add_outputs(e, *t, types);
    x = both[0];
    y = both[1];
    submit(e, std::move(t));
  };
  rt.wait_all();
  SECTION("which nobody else holds") {
    for (int i = 0; i < 10; ++i) next();
    CHECK(rt.memory().live <= 2 * bytes);
    CHECK(x.to_vector<double>() == std::vector<double>(1 << 20, 144));
    CHECK(y.to_vector<double>() == std::vector<double>(1 << 20, 233));
    CHECK(rt.memory().peak == 2 * bytes);
  }
  SECTION("but for one that is held") {
    const tensor old = x;
    for (int i = 0; i < 10; ++i) next();
    CHECK(x.to_vector<double>() == std::vector<double>(1 << 20, 144));
    CHECK(old.to_vector<double>() == std::vector<double>(1 << 20, 1));
    CHECK(rt.memory().peak == 3 * bytes);
  }
}
