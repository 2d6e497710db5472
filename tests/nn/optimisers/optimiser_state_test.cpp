// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/nn/set_gradients.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using testing::array_of;
using testing::list;
using testing::parameter_of;
using testing::shown_by;
using testing::some_numbers;

std::vector<std::string> names_shown_by(nn::optimiser& o) {
  std::vector<std::string> out;
  for (const auto& [name, v] : shown_by(o).all) out.push_back(name);
  return out;
}

void train(nn::optimiser& optimiser, nn::parameter p, int first, int last) {
  for (int i = first; i < last; ++i) {
    p.set_grad(array_of(some_numbers(5, i)));
    optimiser.step();
  }
}

/// Returns copies of the visited states, as for a checkpoint.
std::vector<std::pair<std::string, tensor>> saved(nn::optimiser& o) {
  std::vector<std::pair<std::string, tensor>> out;
  for (const auto& [name, v] : shown_by(o).all) {
    if (v.defined()) out.emplace_back(name, v.value().copy());
  }
  return out;
}

void restore(nn::optimiser& o, const std::vector<std::pair<std::string, tensor>>& from) {
  for (auto& [name, v] : shown_by(o).all) {
    for (const auto& [saved_name, x] : from) {
      if (name == saved_name) v.assign(x);
    }
  }
}

}  // namespace

TEST_CASE("an optimiser shows its states by name") {
  const test_engine e;
  const auto p = parameter_of({1}), q = parameter_of({1});
  using names = std::vector<std::string>;
  nn::sgd sgd({p});
  CHECK(names_shown_by(sgd) == names{"steps"});
  sgd.add({q}, {.momentum = 0.9});
  CHECK(names_shown_by(sgd) == names{"steps", "1.momentum"});
  nn::adamw adamw({p, q});
  CHECK(names_shown_by(adamw) ==
        names{"steps", "0.mean", "0.square_mean", "0.steps", "1.mean", "1.square_mean", "1.steps"});
  nn::adam greatest({p}, {.amsgrad = true});
  CHECK(names_shown_by(greatest) ==
        names{"steps", "0.mean", "0.square_mean", "0.greatest_square_mean", "0.steps"});
  nn::rmsprop rmsprop({p}, {.momentum = 0.5, .centred = true});
  CHECK(names_shown_by(rmsprop) == names{"steps", "0.square_mean", "0.mean", "0.momentum"});
  nn::rmsprop moving({p}, {.momentum = 0.5});
  CHECK(names_shown_by(moving) == names{"steps", "0.square_mean", "0.momentum"});
  nn::adagrad adagrad({p});
  CHECK(names_shown_by(adagrad) == names{"steps", "0.square_sum", "0.steps"});
  for (const auto& [name, v] : shown_by(adagrad).all) CHECK_FALSE(v.defined());
}

TEST_CASE("an optimiser with another one's state continues exactly like that one") {
  const test_engine e;
  const auto compare = [&](const auto& make) {
    auto p = parameter_of(some_numbers(5, 99)), q = parameter_of(list(5, 0.));
    const auto whole = make(p);
    train(*whole, p, 0, 7);
    const auto states = saved(*whole);
    const auto weights = p.value().copy();
    train(*whole, p, 7, 12);
    const auto rest = make(q);
    restore(*rest, states);  // before its first step
    q.assign(weights);
    CHECK(rest->steps() == 7);
    CHECK(rest->rate() != whole->rate());
    train(*rest, q, 7, 12);
    CHECK(numbers(q) == numbers(p));
    CHECK(rest->rate() == whole->rate());
  };
  const auto rate = nn::cosine(0.5, 20);
  compare([&](const nn::parameter& p) {
    return std::make_unique<nn::sgd>(std::vector{p},
                                     nn::sgd_options{.rate = rate, .momentum = 0.5});
  });
  compare([&](const nn::parameter& p) {
    return std::make_unique<nn::adam>(std::vector{p}, nn::adam_options{.rate = rate});
  });
  compare([&](const nn::parameter& p) {
    return std::make_unique<nn::rmsprop>(
        std::vector{p}, nn::rmsprop_options{.rate = rate, .momentum = 0.5, .centred = true});
  });
  compare([&](const nn::parameter& p) {
    return std::make_unique<nn::adagrad>(std::vector{p},
                                         nn::adagrad_options{.rate = rate, .rate_decay = 0.1});
  });
  compare([&](const nn::parameter& p) {
    return std::make_unique<nn::lion>(std::vector{p}, nn::lion_options{.rate = rate});
  });
}

TEST_CASE("variables once shown remain the ones that the optimiser uses") {
  const test_engine e;
  auto p = parameter_of({0});
  nn::adam optimiser({p});
  const auto shown = shown_by(optimiser).all;
  p.set_grad(array_of({1}));
  optimiser.step();
  optimiser.step();
  REQUIRE(shown.size() == 4);
  CHECK(shown[0].second.value().item<std::int64_t>() == 2);
  CHECK(numbers(shown[1].second)[0] == Approx(0.19));
  CHECK(shown[3].second.value().item<std::int64_t>() == 2);
}

TEST_CASE("a restored state that does not fit its parameter is refused, and nothing changes") {
  const test_engine e;
  auto p = parameter_of({1}), q = parameter_of({1, 2});
  nn::adam optimiser({p, q});
  p.set_grad(array_of({1}));
  q.set_grad(array_of({1, 1}));
  shown_by(optimiser).all[4].second.assign(ones({3}));
  CHECK(TROUPE_ERROR_OF(optimiser.step()) ==
        "adam: mean is float32[3] on cpu:0, and its parameter float64[2] on cpu:0");
  CHECK(numbers(p) == list{1});
  CHECK(optimiser.steps() == 0);
  nn::adam other({p});
  shown_by(other).all[3].second.assign(ones({}));
  CHECK(TROUPE_ERROR_OF(other.step()) == "adam: steps is float32[] and must be int64[]");
  CHECK(numbers(p) == list{1});
}

}  // namespace troupe::testing
