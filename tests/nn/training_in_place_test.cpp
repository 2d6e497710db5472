// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <bit>
#include <map>
#include <random>

#include "troupe/actors/runtime.hpp"
#include "troupe/nn/dense.hpp"
#include "troupe/nn/module.hpp"
#include "troupe/nn/optimisers.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/actors/test_operations.hpp"
#include "troupe/tests/nn/set_gradients.hpp"

namespace troupe::testing {

namespace {

using testing::array_of;
using testing::list;
using testing::parameter_of;
using testing::shown_by;

constexpr std::int64_t size = 1 << 20;
constexpr std::size_t bytes = 4 * size;

/// Returns all results of a random training run, bit for bit.
std::vector<list> train_at_random(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  const auto chance = [&] { return below(2) == 0; };
  troupe::seed(seed);
  std::vector<nn::parameter> all;
  for (int i = 0, n = 1 + below(4); i < n; ++i) {
    static constexpr std::int64_t sizes[] = {1, 3, 5, 40, 1'001, 70'000};
    all.emplace_back(normal({sizes[below(6)]}, chance() ? float32 : float64));
  }
  const double clip_norm = chance() ? 1 : nn::no_limit, clip_value = chance() ? 0.5 : nn::no_limit;
  const nn::schedule rate = nn::warm_up(3, nn::cosine(0.1, 10));
  std::unique_ptr<nn::optimiser> optimiser;
  switch (below(4)) {
    case 0:
      optimiser = std::make_unique<nn::sgd>(all, nn::sgd_options{.rate = rate,
                                                                 .momentum = 0.5,
                                                                 .nesterov = chance(),
                                                                 .clip_norm = clip_norm,
                                                                 .clip_value = clip_value});
      break;
    case 1:
      optimiser = std::make_unique<nn::adam>(
          all, nn::adam_options{.rate = rate, .clip_norm = clip_norm, .clip_value = clip_value});
      break;
    case 2:
      optimiser = std::make_unique<nn::rmsprop>(all, nn::rmsprop_options{.rate = rate,
                                                                         .momentum = 0.1 * below(3),
                                                                         .centred = chance(),
                                                                         .clip_norm = clip_norm,
                                                                         .clip_value = clip_value});
      break;
    default:
      optimiser = std::make_unique<nn::adagrad>(
          all, nn::adagrad_options{.rate = rate, .clip_norm = clip_norm, .clip_value = clip_value});
  }
  std::vector<tensor> kept;
  for (int step = 0; step < 12; ++step) {
    auto& p = all[static_cast<std::size_t>(below(static_cast<unsigned>(all.size())))];
    switch (below(6)) {
      // Holds an array that would otherwise be overwritten.
      case 0: kept.push_back(p.value()); break;
      case 1: p.freeze(); break;
      case 2: p.unfreeze(); break;
      case 3: p.value().wait(); break;
      default: break;
    }
    if (chance()) optimiser->zero_grad();
    tensor loss = zeros({}, float64);
    {
      const recording on;
      for (const auto& q : all) {
        if (below(5) != 0) loss = loss + sum(square(q.value() - 0.5) * uniform({1}));
      }
    }
    if (loss.node()) loss.backward();
    chance() ? optimiser->step() : optimiser->step(1 + below(8));
  }
  std::vector<list> out;
  for (const auto& p : all) out.push_back(p.value().to_vector<double>());
  for (const auto& [name, v] : shown_by(*optimiser).all) {
    if (v.defined()) out.push_back(v.value().to_vector<double>());
  }
  for (const auto& x : kept) out.push_back(x.to_vector<double>());
  return out;
}

bool equal_bits(const std::vector<list>& a, const std::vector<list>& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return std::ranges::equal(
      a, b, [&](const list& x, const list& y) { return std::ranges::equal(x, y, same); });
}

/// Trains on a problem that any optimiser solves: a line through points. Returns the final loss as
/// a fraction of the first.
template <class Optimiser, class Options>
double rest_of_loss(const Options& options) {
  const runtime rt({.lanes = 2, .cpu_devices = 1, .synchronous = false});
  seed(3);
  const tensor x = normal({64, 5}, float64), y = matmul(x, normal({5, 1}, float64)) + 1.5;
  nn::dense line(1);
  const auto loss = [&] { return mean(square(line(x) - y)); };
  const tensor first = loss();
  Optimiser optimiser(nn::parameters(line), options);
  for (int i = 0; i < 300; ++i) optimiser.minimise(loss);
  const tensor left = loss() / first;
  return left.item<double>();
}

}  // namespace

TEST_CASE("random training is bit-equal on any number of lanes to a serial run") {
  for (unsigned seed = 0; seed < 25; ++seed) {
    CAPTURE(seed);
    std::vector<list> expected;
    {
      const runtime rt({.lanes = 1, .cpu_devices = 1, .synchronous = true});
      expected = train_at_random(seed);
    }
    for (const int lanes : {1, 2, 8}) {
      CAPTURE(lanes);
      const runtime rt({.lanes = lanes, .cpu_devices = 1, .synchronous = false});
      REQUIRE(equal_bits(train_at_random(seed), expected));
    }
  }
}

TEST_CASE(
    "steps without a sync point stay within the memory of the parameter, its states and the "
    "gradient") {
  runtime rt({.lanes = GENERATE(1, 2), .cpu_devices = 1, .synchronous = false});
  nn::parameter p(ones({size}));
  nn::adam optimiser({p});
  p.set_grad(ones({size}));
  for (int i = 0; i < 50; ++i) optimiser.step();
  p.value().wait();
  CHECK(rt.memory().peak <= 4 * bytes);
  CHECK(p.value().to_vector<float>()[size - 1] == Approx(0.95));
}

TEST_CASE("in-place steps continue when memory has no room for copies") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .memory_limit = 5 * bytes, .synchronous = false});
  nn::parameter p(ones({size}));
  nn::adam optimiser({p}, {.clip_norm = 1});
  p.set_grad(ones({size}));
  for (int i = 0; i < 20; ++i) optimiser.step();
  rt.wait_all();
  CHECK(rt.memory().peak <= 4 * bytes + bytes / 16);
  CHECK(optimiser.steps() == 20);
}

TEST_CASE("a step overwrites the old arrays even if it runs at once") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .synchronous = false});
  nn::parameter p(ones({size}));
  nn::adam optimiser({p});
  p.set_grad(ones({size}));
  optimiser.step();
  rt.wait_all();
  const auto shown = shown_by(optimiser).all;
  const auto places = [&] {
    std::vector<const void*> out{p.value().source()->data()};
    for (const auto& [name, v] : shown) {
      if (v.value().size() == size) out.push_back(v.value().source()->data());
    }
    return out;
  };
  const auto first = places();
  for (int i = 0; i < 20; ++i) {
    optimiser.step();
    rt.wait_all();
    REQUIRE(places() == first);
  }
}

TEST_CASE("a training loop without a sync point takes one task for each parameter and its memory") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .synchronous = false});
  nn::parameter w(normal({512, 512})), b(zeros({512}));
  nn::adam optimiser({w, b}, {.rate = 1e-2, .clip_norm = 1});
  const auto x = normal({64, 512});
  const auto step = [&] {
    optimiser.minimise([&] { return mean(square(matmul(x, w) + b.value() - x)); });
  };
  step();
  rt.wait_all();
  const auto before = rt.memory().live;
  const auto since = now();
  for (int i = 0; i < 30; ++i) step();
  rt.wait_all();
  CHECK(rt.memory().live == before);
  std::map<std::uint64_t, float> updates;
  for (const auto& e : rt.trace(since).events) {
    if (e.name == "adam") updates[e.sequence] += e.share;
  }
  CHECK(updates.size() == 60);
  // The weight, two states, the gradient, and the values that the gradient is computed from.
  CHECK(rt.memory().peak <= before + 4 * 512 * 512 * 4);
}

TEST_CASE("an array that a user holds is never overwritten, whatever the timing") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .synchronous = false});
  nn::parameter p(ones({size}));
  nn::sgd optimiser({p}, {.rate = 1, .momentum = 0.5});
  p.set_grad(full({size}, -1.f));
  std::vector<tensor> held;
  for (int i = 0; i < 4; ++i) {
    held.push_back(p.value());
    optimiser.step();
  }
  const float expected[] = {1, 2, 3.5, 5.25};
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(held[i].to_vector<float>() == std::vector<float>(size, expected[i]));
}

TEST_CASE("a step waits for nothing, not even for the norm that it clips by") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .synchronous = false});
  testing::gate g;
  nn::parameter p(zeros({}, float64));
  nn::sgd optimiser({p}, {.rate = 1, .clip_norm = 0.5});
  p.set_grad(testing::gated(rt.engine(), g));
  optimiser.step();
  const auto norm = nn::clip_by_norm({p}, 0.25);
  optimiser.step();
  CHECK_FALSE(p.value().ready());
  g.open();
  CHECK(p.value().item<double>() == Approx(-0.75));
  CHECK(norm.item<double>() == 1);
}

TEST_CASE("a failed gradient fails its parameter alone, with the line of the step") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .synchronous = false});
  nn::parameter p(zeros({}, float64)), q(zeros({}, float64));
  nn::adam optimiser({p, q});
  p.set_grad(testing::failing(rt.engine(), "on purpose"));
  q.set_grad(ones({}, float64));
  for (int i = 0; i < 3; ++i) optimiser.step();
  CHECK_THROWS_WITH(p.value().wait(), Catch::Contains("on purpose"));
  CHECK(q.value().item<double>() == Approx(-0.003));
  CHECK_NOTHROW(rt.wait_all());
}

TEST_CASE("an optimiser may outlive its runtime, but can then take no steps") {
  std::unique_ptr<nn::adam> optimiser;
  nn::parameter p;
  {
    const runtime rt({.lanes = 2, .cpu_devices = 1, .synchronous = false});
    p.assign(ones({3}));
    optimiser = std::make_unique<nn::adam>(std::vector{p});
    p.set_grad(ones({3}));
    optimiser->step();
  }
  CHECK_THROWS_AS(optimiser->step(), error);
  CHECK(optimiser->steps() == 1);
  CHECK(p.value().to_vector<float>()[0] == Approx(0.999));
}

TEST_CASE("every optimiser finds the line through points") {
  CHECK(rest_of_loss<nn::sgd>(nn::sgd_options{.rate = 0.1}) < 1e-6);
  CHECK(rest_of_loss<nn::sgd>(nn::sgd_options{.rate = 0.02, .momentum = 0.9}) < 1e-6);
  CHECK(rest_of_loss<nn::sgd>(nn::sgd_options{.rate = 0.02, .momentum = 0.9, .nesterov = true}) <
        1e-6);
  CHECK(rest_of_loss<nn::adam>(nn::adam_options{.rate = 0.1}) < 1e-4);
  CHECK(rest_of_loss<nn::adamw>(nn::adamw_options{.rate = nn::cosine(0.2, 300)}) < 1e-3);
  CHECK(rest_of_loss<nn::rmsprop>(nn::rmsprop_options{.rate = nn::cosine(0.05, 300)}) < 1e-4);
  CHECK(rest_of_loss<nn::rmsprop>(nn::rmsprop_options{
            .rate = nn::cosine(0.02, 300), .momentum = 0.5, .centred = true}) < 1e-4);
  CHECK(rest_of_loss<nn::adagrad>(nn::adagrad_options{.rate = 1}) < 1e-4);
  CHECK(rest_of_loss<nn::adam>(nn::adam_options{.rate = 0.1, .clip_norm = 1}) < 1e-4);
}

}  // namespace troupe::testing
