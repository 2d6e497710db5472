// SPDX-License-Identifier: MIT
#include "troupe/nn/checkpoint.hpp"
#include "troupe/nn/optimisers.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/nn/set_gradients.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE(
    "every few steps lookahead's weights go part of the way, and the optimiser goes on there") {
  const test_engine e;
  auto p = parameter_of({0, 10});
  nn::sgd optimiser({p}, {.rate = 1});
  nn::lookahead slow({p}, {.every = 3, .share = 0.25});
  p.set_grad(array_of({-4, 4}));
  std::vector<list> seen;
  for (int i = 0; i < 6; ++i) {
    optimiser.step();
    slow.step();
    seen.push_back(numbers(p));
  }
  CHECK(slow.steps() == 6);
  CHECK(seen == std::vector<list>{{4, 6}, {8, 2}, {3, 7}, {7, 3}, {11, -1}, {6, 4}});
}

TEST_CASE("lookahead continues after loading as if it had not stopped") {
  const test_engine e;
  const temporary_folder folder;
  const auto run = [](nn::parameter& p, nn::lookahead& slow, int steps) {
    nn::sgd optimiser({p}, {.rate = 1});
    p.set_grad(array_of({1}));
    for (int i = 0; i < steps; ++i) {
      optimiser.step();
      slow.step();
    }
  };
  auto p = parameter_of({5});
  nn::lookahead slow({p}, {.every = 4});
  run(p, slow, 2);
  nn::save_checkpoint(folder / "run", {{"p", p}, {"slow", slow}});
  run(p, slow, 5);
  auto q = parameter_of({0});
  nn::lookahead restored({q}, {.every = 4});
  nn::load_checkpoint(folder / "run", {{"p", q}, {"slow", restored}});
  run(q, restored, 5);
  CHECK(restored.steps() == 7);
  CHECK(numbers(q) == numbers(p));
}

TEST_CASE("a parameter without an array joins lookahead when it has one") {
  const test_engine e;
  nn::parameter p;
  nn::lookahead slow({p}, {.every = 1});
  slow.step();
  p.assign(array_of({2}));
  slow.step();
  CHECK(numbers(p) == list{2});
  p.assign(array_of({4}));
  slow.step();
  CHECK(numbers(p) == list{3});
}

TEST_CASE("lookahead refuses options that make no sense, and compiled functions") {
  const test_engine e;
  const auto p = parameter_of({1});
  CHECK(TROUPE_ERROR_OF(nn::lookahead({})) == "lookahead: there are no parameters");
  CHECK(TROUPE_ERROR_OF(nn::lookahead({p}, {.every = 0})) ==
        "lookahead: 0 steps: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::lookahead({p}, {.share = 0})) ==
        "lookahead: the share is 0.0 and must be above 0 and at most 1");
  nn::lookahead slow({p});
  const auto f = compile([&](const tensor& x) {
    slow.step();
    return abs(x);
  });
  CHECK_THROWS_WITH(f(ones({1})), Catch::StartsWith("lookahead: a step cannot be part of"));
}

}  // namespace troupe::testing
