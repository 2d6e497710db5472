// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/nn/set_gradients.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using testing::array_of;
using testing::list;
using testing::parameter_of;
using testing::some_numbers;

/// One parameter's number and its states, in plain C++.
struct number {
  double p, a = 0, b = 0, c = 0;
};
/// Formula of a rule: changes x by the gradient g in step t, counted from 1.
using formula = std::function<void(number& x, double g, int t)>;

/// Compares six steps of the optimiser that `make` creates with a plain loop over the formula.
template <class Make>
void compare(dtype element, Make make, const formula& rule) {
  CAPTURE(name(element));
  constexpr std::size_t size = 37;
  const test_engine e;
  auto p = parameter_of(some_numbers(size, 0), element);
  const auto optimiser = make(std::vector{p});
  std::vector<number> expected;
  for (const double x : some_numbers(size, 0)) expected.push_back({x});
  for (int t = 1; t <= 6; ++t) {
    const auto gradient = some_numbers(size, t);
    p.set_grad(array_of(gradient, element));
    optimiser->step();
    const auto found = numbers(p);
    for (std::size_t i = 0; i < size; ++i) {
      rule(expected[i], gradient[i], t);
      CAPTURE(t, i, found[i], expected[i].p);
      REQUIRE(near(found[i], expected[i].p, element == float64 ? 1e-13 : 2e-6));
    }
  }
}

template <class Optimiser, class Options>
void compare(const Options& options, const formula& rule) {
  for (const auto element : {float32, float64})
    compare(
        element, [&](auto parameters) { return std::make_unique<Optimiser>(parameters, options); },
        rule);
}

}  // namespace

TEST_CASE("sgd follows its formula") {
  compare<nn::sgd>(nn::sgd_options{.rate = 0.1}, [](number& x, double g, int) { x.p -= 0.1 * g; });
  compare<nn::sgd>(nn::sgd_options{.rate = 0.1, .weight_decay = 0.2},
                   [](number& x, double g, int) { x.p -= 0.1 * (g + 0.2 * x.p); });
  compare<nn::sgd>(nn::sgd_options{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.2},
                   [](number& x, double g, int t) {
                     g += 0.2 * x.p;
                     x.a = t == 1 ? g : 0.9 * x.a + g;
                     x.p -= 0.1 * x.a;
                   });
  compare<nn::sgd>(nn::sgd_options{.rate = 0.1, .momentum = 0.9, .nesterov = true},
                   [](number& x, double g, int t) {
                     x.a = t == 1 ? g : 0.9 * x.a + g;
                     x.p -= 0.1 * (g + 0.9 * x.a);
                   });
}

TEST_CASE("adam and adamw follow their formulas") {
  const auto adam = [](double rate, double b1, double b2, double eps) {
    return [=](number& x, double g, int t) {
      x.a = b1 * x.a + (1 - b1) * g;
      x.b = b2 * x.b + (1 - b2) * g * g;
      const double mean = x.a / (1 - std::pow(b1, t)), square = x.b / (1 - std::pow(b2, t));
      x.p -= rate * mean / (std::sqrt(square) + eps);
    };
  };
  compare<nn::adam>(nn::adam_options{}, adam(1e-3, 0.9, 0.999, 1e-8));
  compare<nn::adam>(nn::adam_options{.rate = 0.1, .beta1 = 0.5, .beta2 = 0.8, .epsilon = 0.1},
                    adam(0.1, 0.5, 0.8, 0.1));
  compare<nn::adam>(
      nn::adam_options{.rate = 0.1, .weight_decay = 0.3},
      [&](number& x, double g, int t) { adam(0.1, 0.9, 0.999, 1e-8)(x, g + 0.3 * x.p, t); });
  compare<nn::adamw>(nn::adamw_options{}, [&](number& x, double g, int t) {
    x.p -= 1e-3 * 0.01 * x.p;
    adam(1e-3, 0.9, 0.999, 1e-8)(x, g, t);
  });
  compare<nn::adamw>(nn::adamw_options{.rate = 0.1, .weight_decay = 0.3},
                     [&](number& x, double g, int t) {
                       x.p *= 1 - 0.1 * 0.3;
                       adam(0.1, 0.9, 0.999, 1e-8)(x, g, t);
                     });
}

TEST_CASE("adam and adamw with amsgrad divide by the greatest mean of squares so far") {
  // As PyTorch has it, which corrects the greatest one for the start.
  const auto amsgrad = [](number& x, double g, int t) {
    x.a = 0.9 * x.a + 0.1 * g;
    x.b = 0.5 * x.b + 0.5 * g * g;
    x.c = std::max(x.c, x.b);
    const double mean = x.a / (1 - std::pow(0.9, t)), square = x.c / (1 - std::pow(0.5, t));
    x.p -= 0.1 * mean / (std::sqrt(square) + 1e-8);
  };
  compare<nn::adam>(nn::adam_options{.rate = 0.1, .beta2 = 0.5, .amsgrad = true}, amsgrad);
  compare<nn::adamw>(
      nn::adamw_options{.rate = 0.1, .beta2 = 0.5, .weight_decay = 0.3, .amsgrad = true},
      [&](number& x, double g, int t) {
        x.p *= 1 - 0.1 * 0.3;
        amsgrad(x, g, t);
      });
}

TEST_CASE("rmsprop follows its formula, centred or not, with and without momentum") {
  for (const bool centred : {false, true}) {
    for (const double momentum : {0., 0.8}) {
      CAPTURE(centred, momentum);
      compare<nn::rmsprop>(nn::rmsprop_options{.rate = 0.05,
                                               .alpha = 0.9,
                                               .epsilon = 1e-3,
                                               .weight_decay = 0.1,
                                               .momentum = momentum,
                                               .centred = centred},
                           [=](number& x, double g, int) {
                             g += 0.1 * x.p;
                             x.a = 0.9 * x.a + 0.1 * g * g;
                             x.b = 0.9 * x.b + 0.1 * g;
                             const double spread = centred ? x.a - x.b * x.b : x.a;
                             const double change = g / (std::sqrt(std::max(spread, 0.)) + 1e-3);
                             x.c = momentum * x.c + change;
                             x.p -= 0.05 * x.c;
                           });
    }
  }
  compare<nn::rmsprop>(nn::rmsprop_options{}, [](number& x, double g, int) {
    x.a = 0.99 * x.a + 0.01 * g * g;
    x.p -= 0.01 * g / (std::sqrt(x.a) + 1e-8);
  });
}

TEST_CASE("adagrad follows its formula") {
  compare<nn::adagrad>(nn::adagrad_options{}, [](number& x, double g, int) {
    x.a += g * g;
    x.p -= 0.01 * g / (std::sqrt(x.a) + 1e-10);
  });
  compare<nn::adagrad>(
      nn::adagrad_options{
          .rate = 0.1, .rate_decay = 0.5, .weight_decay = 0.2, .initial_sum = 0.25, .epsilon = 0.1},
      [](number& x, double g, int t) {
        if (t == 1) x.a = 0.25;
        g += 0.2 * x.p;
        x.a += g * g;
        x.p -= 0.1 / (1 + (t - 1) * 0.5) * g / (std::sqrt(x.a) + 0.1);
      });
}

TEST_CASE("lion follows its formula") {
  const auto lion = [](double rate, double b1, double b2, double decay) {
    return [=](number& x, double g, int) {
      const double toward = b1 * x.a + (1 - b1) * g;
      x.p -= rate * decay * x.p + rate * (toward > 0 ? 1 : toward < 0 ? -1 : 0);
      x.a = b2 * x.a + (1 - b2) * g;
    };
  };
  compare<nn::lion>(nn::lion_options{}, lion(1e-4, 0.9, 0.99, 0));
  compare<nn::lion>(nn::lion_options{.rate = 0.1, .beta1 = 0.5, .beta2 = 0.8, .weight_decay = 0.3},
                    lion(0.1, 0.5, 0.8, 0.3));
  const test_engine e;
  auto p = parameter_of({1});
  nn::lion optimiser({p}, {.rate = 1});
  p.set_grad(array_of({0}));
  optimiser.step();
  CHECK(numbers(p) == list{1});
}

TEST_CASE("a rate may be a schedule over the optimiser's steps") {
  const test_engine e;
  auto p = parameter_of({0});
  nn::sgd optimiser({p}, {.rate = nn::step_decay(1, 2, 0.5)});
  p.set_grad(array_of({-1}));
  list rates;
  for (int i = 0; i < 5; ++i) {
    rates.push_back(optimiser.rate());
    optimiser.step();
  }
  CHECK(rates == list{1, 1, 0.5, 0.5, 0.25});
  CHECK(optimiser.steps() == 5);
  CHECK(numbers(p) == list{3.25});
  optimiser.set_rate(2);
  optimiser.step();
  CHECK(numbers(p) == list{5.25});
}

TEST_CASE("a step with a batch size divides the gradients by it") {
  const test_engine e;
  auto p = parameter_of({1, 2});
  nn::sgd optimiser({p}, {.rate = 1});
  p.set_grad(array_of({8, -4}));
  optimiser.step(4);
  CHECK(numbers(p) == list{-1, 3});
  CHECK(numbers(p.grad()) == list{8, -4});  // unchanged
}

TEST_CASE("parameters without a gradient are skipped") {
  const test_engine e;
  auto trained = parameter_of({1}), frozen = parameter_of({2}), unused = parameter_of({3});
  nn::parameter unmade;
  frozen.set_grad(array_of({1}));
  frozen.freeze();
  nn::adam optimiser({trained, frozen, unused, unmade}, {.rate = 0.5});
  optimiser.step();
  CHECK(optimiser.steps() == 0);
  trained.set_grad(array_of({1}));
  optimiser.step();
  CHECK(optimiser.steps() == 1);
  CHECK(numbers(trained)[0] == Approx(0.5));
  CHECK(numbers(frozen) == list{2});
  CHECK(numbers(unused) == list{3});
  CHECK_FALSE(unmade.defined());
  // It begins with its own first step, as if the optimiser were new.
  unmade.assign(array_of({0, 0}));
  unmade.set_grad(array_of({2, -2}));
  optimiser.step();
  CHECK(numbers(unmade)[0] == Approx(-0.5));
  CHECK(numbers(unmade)[1] == Approx(0.5));
}

TEST_CASE("groups of parameters have options of their own") {
  const test_engine e;
  auto p = parameter_of({0}), q = parameter_of({0});
  nn::sgd optimiser({p}, {.rate = 1});
  optimiser.add({q}, {.rate = 0.5, .momentum = 0.5});
  p.set_grad(array_of({-1}));
  q.set_grad(array_of({-1}));
  optimiser.step();
  optimiser.step();
  CHECK(numbers(p) == list{2});
  CHECK(numbers(q) == list{0.5 + 0.75});
  CHECK(optimiser.rate(1) == 0.5);
  optimiser.set_rate(0, 1);
  optimiser.step();
  CHECK(numbers(p) == list{3});
  CHECK(numbers(q) == list{1.25});
}

TEST_CASE("minimise clears old gradients, steps, and returns the loss") {
  const test_engine e;
  auto p = parameter_of({3, -2});
  p.set_grad(array_of({100, 100}));
  nn::sgd optimiser({p}, {.rate = 0.25});
  const auto loss = optimiser.minimise([&] { return sum(p.value() * p.value()); });
  CHECK(loss.item<double>() == 13);
  CHECK_FALSE(loss.node());
  CHECK(numbers(p) == list{1.5, -1});
  CHECK(numbers(p.grad()) == list{6, -4});
}

TEST_CASE("gradients of several backward passes are added up for one step") {
  const test_engine e;
  auto p = parameter_of({1});
  nn::sgd optimiser({p}, {.rate = 1});
  for (int i = 0; i < 4; ++i) {
    const recording on;
    sum(p.value() * static_cast<double>(i)).backward();
  }
  optimiser.step(4);
  CHECK(numbers(p) == list{1 - 6. / 4});
  optimiser.zero_grad();
  CHECK_FALSE(p.grad().defined());
}

TEST_CASE("a step is not recorded") {
  const test_engine e;
  auto p = parameter_of({1});
  nn::adam optimiser({p}, {.clip_norm = 1});
  p.set_grad(array_of({1}));
  const recording on;
  optimiser.step();
  auto shown = testing::shown_by(optimiser);
  for (const auto& [name, v] : shown.all) CHECK_FALSE(v.value().node());
  sum(p.value()).backward();
  CHECK(numbers(p.grad()) == list{2});  // added to the previous gradient
}

TEST_CASE("an array with another holder stays unchanged") {
  const test_engine e;
  auto p = parameter_of(some_numbers(1000, 1));
  const tensor before = p.value();
  nn::adam optimiser({p}, {.rate = 1});
  p.set_grad(array_of(some_numbers(1000, 2)));
  optimiser.step();
  CHECK(numbers(before) == some_numbers(1000, 1));
  CHECK(numbers(p) != some_numbers(1000, 1));
}

TEST_CASE("gradients may be views: broadcast or strided") {
  const test_engine e;
  nn::parameter p(zeros({3, 2}, float64));
  nn::sgd optimiser({p}, {.rate = 1});
  p.set_grad(array_of({1, 2}).broadcast_to({3, 2}));
  optimiser.step();
  CHECK(numbers(p) == list{-1, -2, -1, -2, -1, -2});
  p.set_grad(array_of({1, 2, 3, 4, 5, 6}).reshape({2, 3}).T());
  optimiser.step();
  CHECK(numbers(p) == list{-2, -6, -3, -7, -4, -8});
  p.zero_grad();
  {
    const recording on;
    sum(p.value().T()).backward();  // a gradient of one number, repeated
  }
  optimiser.step();
  CHECK(numbers(p) == list{-3, -7, -4, -8, -5, -9});
}

TEST_CASE("an infinite or NaN parameter stays so and does not affect the others") {
  const test_engine e;
  const double inf = nn::no_limit;
  auto p = parameter_of({inf, std::nan(""), 1, 1, 1});
  nn::sgd optimiser({p}, {.rate = 1});
  p.set_grad(array_of({1, 1, 1, inf, std::nan("")}));
  optimiser.step();
  const auto found = numbers(p);
  CHECK(found[0] == inf);
  CHECK(std::isnan(found[1]));
  CHECK(found[2] == 0);
  CHECK(found[3] == -inf);
  CHECK(std::isnan(found[4]));
}

TEST_CASE("invalid options are refused where they are given") {
  const test_engine e;
  const auto p = parameter_of({1});
  const std::vector one{p};
  CHECK(TROUPE_ERROR_OF(nn::sgd(one, {.rate = -0.1})) ==
        "sgd: the rate of step 0 is -0.1 and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::sgd(one, {.rate = std::nan("")})) ==
        "sgd: the rate of step 0 is nan and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::sgd(one, {.momentum = 1})) ==
        "sgd: momentum is 1.0 and must be in [0, 1)");
  CHECK(TROUPE_ERROR_OF(nn::sgd(one, {.nesterov = true})) ==
        "sgd: nesterov takes a momentum above 0");
  CHECK(TROUPE_ERROR_OF(nn::sgd(one, {.weight_decay = -1})) ==
        "sgd: weight_decay is -1.0 and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::sgd(one, {.clip_norm = 0})) ==
        "sgd: clip_norm is 0.0 and must be above 0");
  CHECK(TROUPE_ERROR_OF(nn::sgd(one, {.clip_value = -2})) ==
        "sgd: clip_value is -2.0 and must be above 0");
  CHECK(TROUPE_ERROR_OF(nn::adam(one, {.beta1 = 1.5})) ==
        "adam: beta1 is 1.5 and must be in [0, 1)");
  CHECK(TROUPE_ERROR_OF(nn::adamw(one, {.beta2 = 1})) ==
        "adamw: beta2 is 1.0 and must be in [0, 1)");
  CHECK(TROUPE_ERROR_OF(nn::adam(one, {.epsilon = -1e-8})) ==
        "adam: epsilon is -1e-08 and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::rmsprop(one, {.alpha = -0.5})) ==
        "rmsprop: alpha is -0.5 and must be in [0, 1)");
  CHECK(TROUPE_ERROR_OF(nn::adagrad(one, {.initial_sum = -1})) ==
        "adagrad: initial_sum is -1.0 and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::lion(one, {.beta2 = 1})) == "lion: beta2 is 1.0 and must be in [0, 1)");
  CHECK(TROUPE_ERROR_OF(nn::sgd({})) == "sgd: there are no parameters");
  CHECK(TROUPE_ERROR_OF(nn::sgd({p, p})) == "sgd: parameter 1, float64[1], is there already");
  nn::sgd optimiser({p});
  CHECK(TROUPE_ERROR_OF(optimiser.add({nn::parameter(), p}, {})) ==
        "sgd: parameter 1, float64[1], is there already");
  CHECK(TROUPE_ERROR_OF(optimiser.step(0)) == "step: the batch size is 0 and must be 1 or more");
  CHECK(TROUPE_ERROR_OF(optimiser.rate(1)) == "rate: there is no group 1, there are 1");
  CHECK(TROUPE_ERROR_OF(optimiser.set_rate(1, 3)) == "rate: there is no group 3, there are 1");
  CHECK(TROUPE_ERROR_OF(optimiser.set_rate(-1)) ==
        "sgd: the rate of step 0 is -1.0 and must be 0 or more");
}

TEST_CASE("steps and rates of an optimiser in a compiled function are refused on the user's line") {
  const test_engine e;
  auto p = parameter_of({1});
  nn::sgd optimiser({p});
  nn::lookahead slow({p});
  p.set_grad(array_of({1}));
  optimiser.step();
  slow.step();
  const auto refusal = [&](auto use) {
    return error_of([&] {
      compile([&](const tensor& x) {
        optimiser.minimise([&] { return sum(p.value() * x); });
        use();
        return x;
      })(array_of({1}));
    });
  };
  const std::pair<const char*, std::string> all[] = {
      {"steps", refusal([&] { optimiser.steps(); })},
      {"steps", refusal([&] { slow.steps(); })},
      {"rate", refusal([&] { optimiser.rate(); })},
      {"set_rate", refusal([&] { optimiser.set_rate(0.5); })}};
  for (const auto& [name, text] : all) {
    CHECK_THAT(text, Catch::StartsWith(std::string(name) + ": ") &&
                         Catch::Contains("(optimisers_test.cpp:"));
  }
}

TEST_CASE("a schedule that goes below 0 is an error of that step, which changes nothing") {
  const test_engine e;
  auto p = parameter_of({1}), q = parameter_of({1});
  nn::adam optimiser({p}, {.rate = 1});
  optimiser.add({q}, {.rate = [](std::int64_t step) { return step == 0 ? 1. : -1.; }});
  p.set_grad(array_of({1}));
  q.set_grad(array_of({1}));
  optimiser.step();
  const auto before = numbers(p);
  CHECK(TROUPE_ERROR_OF(optimiser.step()) ==
        "adam: the rate of step 1 is -1.0 and must be 0 or more");
  CHECK(numbers(p) == before);
  CHECK(optimiser.steps() == 1);
}

TEST_CASE("a gradient that does not fit its parameter is refused") {
  const test_engine e;
  auto p = parameter_of({1, 2});
  CHECK(TROUPE_ERROR_OF(p.set_grad(array_of({1}))) ==
        "set_grad: float64[1] on cpu:0 for float64[2] on cpu:0");
  CHECK(TROUPE_ERROR_OF(p.set_grad(array_of({1, 2}, float32))) ==
        "set_grad: float32[2] on cpu:0 for float64[2] on cpu:0");
  p.freeze();
  CHECK(TROUPE_ERROR_OF(p.set_grad(array_of({1, 2}))) ==
        "set_grad: float64[2] is frozen: it has no gradient");
}

}  // namespace troupe::testing
