// SPDX-License-Identifier: MIT
#include "troupe/nn/checkpoint.hpp"
#include "troupe/nn/module.hpp"
#include "troupe/nn/optimisers.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/nn/set_gradients.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("an average follows the parameters, and takes their place for a while") {
  const test_engine e;
  auto p = parameter_of({0, 8});
  nn::sgd optimiser({p}, {.rate = 1});
  nn::moving_average average({p}, {.decay = 0.5});
  p.set_grad(array_of({-4, 4}));
  for (int i = 0; i < 2; ++i) {
    optimiser.step();
    average.step();
  }
  CHECK(numbers(p) == list{8, 0});
  average.swap();
  CHECK(average.swapped());
  CHECK(numbers(p) == list{5, 3});
  CHECK(TROUPE_ERROR_OF(average.step()) ==
        "moving_average: a step while averages stand for the parameters; swap() first");
  average.swap();
  CHECK_FALSE(average.swapped());
  CHECK(numbers(p) == list{8, 0});
  optimiser.step();
  average.step();
  average.swap();
  CHECK(numbers(p) == list{8.5, -0.5});
}

TEST_CASE("averages continue after loading as if they had not stopped") {
  const test_engine e;
  const temporary_folder folder;
  const auto run = [](nn::parameter& p, nn::moving_average& average, int steps) {
    nn::sgd optimiser({p}, {.rate = 1});
    p.set_grad(array_of({1}));
    for (int i = 0; i < steps; ++i) {
      optimiser.step();
      average.step();
    }
  };
  auto p = parameter_of({5});
  nn::moving_average average({p}, {.decay = 0.75});
  run(p, average, 3);
  nn::save_checkpoint(folder / "run", {{"p", p}, {"average", average}});
  run(p, average, 2);
  auto q = parameter_of({0});
  nn::moving_average restored({q}, {.decay = 0.75});
  nn::load_checkpoint(folder / "run", {{"p", q}, {"average", restored}});
  run(q, restored, 2);
  average.swap();
  restored.swap();
  CHECK(numbers(q) == numbers(p));
}

TEST_CASE("a parameter without an array has an average when it has one") {
  const test_engine e;
  nn::parameter p;
  nn::moving_average average({p}, {.decay = 0.5});
  average.swap();
  average.swap();
  average.step();
  p.assign(array_of({2}));
  average.step();
  p.assign(array_of({4}));
  average.step();
  average.swap();
  CHECK(numbers(p) == list{3});
}

TEST_CASE("averages may be part of a compiled step") {
  const test_engine e;
  auto p = parameter_of({0}), q = parameter_of({0});
  const auto train = [](nn::parameter& of, bool compiled) {
    nn::sgd optimiser({of}, {.rate = 0.25});
    nn::moving_average average({of}, {.decay = 0.5});
    const auto step = [&](const tensor& x) {
      const auto loss = optimiser.minimise([&] { return sum(square(of.value() - x)); });
      average.step();
      return loss;
    };
    const auto program = compile(step);
    for (int i = 0; i < 4; ++i) {
      if (compiled) program(array_of({1}));
      else step(array_of({1}));
    }
    average.swap();
  };
  train(p, false);
  train(q, true);
  CHECK(numbers(p) == list{0.8125});
  CHECK(numbers(q) == numbers(p));
}

TEST_CASE("averages refuse options that make no sense") {
  const test_engine e;
  const auto p = parameter_of({1});
  CHECK(TROUPE_ERROR_OF(nn::moving_average({})) == "moving_average: there are no parameters");
  CHECK(TROUPE_ERROR_OF(nn::moving_average({p}, {.decay = 1.5})) ==
        "moving_average: the decay is 1.5 and must be in [0, 1]");
}

TEST_CASE("a compiled step notices that averages stand for the parameters") {
  const test_engine e;
  auto p = parameter_of({0});
  nn::sgd optimiser({p}, {.rate = 1});
  nn::moving_average average({p}, {.decay = 0.5});
  const auto step = compile([&](const tensor& x) {
    const auto loss = optimiser.minimise([&] { return sum(p.value() * x); });
    average.step();
    return loss;
  });
  for (int i = 0; i < 4; ++i) step(-ones({1}, float64));
  average.swap();
  CHECK_THROWS_WITH(step(-ones({1}, float64)),
                    Catch::StartsWith("moving_average: a step while averages stand for the"));
  average.swap();
  CHECK(numbers(p) == list{4});
  step(-ones({1}, float64));
  CHECK(numbers(p) == list{5});
}

}  // namespace troupe::testing
