// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/update.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

std::vector<tensor> run(update u) {
  auto out = u.results();
  std::move(u).submit();
  return out;
}

}  // namespace

TEST_CASE("an update gives the new parameter and the new states") {
  test_engine e;
  const tensor p = {1., 2.}, a = {10., 20.}, g = {-1., 3.};
  const std::vector states{a};
  const auto out = run({update_rule::sgd_momentum, p, states, g, 2, {.rate = 0.5, .first = 0.1}});
  REQUIRE(out.size() == 2);
  CHECK(numbers(out[1]) == list{1 - 2, 2 + 6});
  CHECK(numbers(out[0]) == list{1 + 0.5, 2 - 4});
  CHECK(numbers(p) == list{1, 2});
  CHECK(numbers(a) == list{10, 20});
}

TEST_CASE("the gradient of an update is scaled by a number or a tensor, then clamped") {
  test_engine e;
  const tensor p = zeros({3}, float32), g = {1.f, -2.f, 30.f};
  const tensor scales = {4., 0.5};
  const update_attributes given{.rate = 1, .limit = 5};
  CHECK(numbers(run({update_rule::sgd, p, {}, g, 0.5, given})[0]) == list{-0.5, 1, -5});
  CHECK(numbers(run({update_rule::sgd, p, {}, g, scales[1], given})[0]) == list{-0.5, 1, -5});
  CHECK(numbers(run({update_rule::sgd, p, {}, g, scales(range{0, 1}), given})[0]) ==
        list{-4, 5, -5});
}

TEST_CASE("inputs of an update may have any layout and be large") {
  test_engine e;
  const std::int64_t rows = 700, columns = 123;
  const auto p = normal({rows, columns}), g = normal({columns, rows});
  const std::vector plain{uniform({rows, columns}), uniform({rows, columns})};
  const update_attributes given{
      .rate = 0.1, .decay = 0.1, .first = 0.9, .second = 0.99, .epsilon = 1e-8};
  const auto expected = run({update_rule::adam, p, plain, g.T().copy(), 1, given});
  const auto found = run({update_rule::adam, p, plain, g.T(), 1, given});
  const std::vector transposed{plain[0].T().copy().T(), plain[1].T().copy().T()};
  const auto again = run({update_rule::adam, p, transposed, g.T(), 1, given});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(numbers(found[i]) == numbers(expected[i]));
    CHECK(numbers(again[i]) == numbers(expected[i]));
  }
}

TEST_CASE("each result of an update takes over the memory of another input") {
  test_engine e;
  const auto& memory = e.engine.devices()[0]->memory();
  constexpr std::size_t bytes = 8192;
  const auto before = memory->live();
  // The parameter is held, so one result needs other memory: that of the gradient, which has no
  // other holder.
  const tensor p = full({1024}, 1., float64);
  std::vector states{full({1024}, 2., float64), full({1024}, 3., float64)};
  tensor g = full({1024}, 4., float64);
  CHECK(memory->live() - before == 4 * bytes);
  update u(update_rule::adam, p, states, g, 1, {.rate = 1, .first = 0.5, .second = 0.5});
  states.clear();
  g = {};
  const auto out = u.results();
  std::move(u).submit();
  CHECK(memory->live() - before == 4 * bytes);
  CHECK(numbers(p) == list(1024, 1.));
  CHECK(numbers(out[1]) == list(1024, 3.));
  CHECK(numbers(out[2]) == list(1024, 9.5));
  CHECK(numbers(out[0])[1023] == Approx(1 - 3 / std::sqrt(9.5)));
}

TEST_CASE("the results of an update that is never submitted fail") {
  test_engine e;
  tensor out;
  {
    const update u(update_rule::sgd, ones({2}), {}, ones({2}), 1, {});
    out = u.results()[0];
    CHECK_FALSE(out.ready());
  }
  CHECK_THROWS_AS(out.wait(), cancelled_error);
}

TEST_CASE("inputs that do not fit an update are refused") {
  test_engine e;
  const auto p = ones({2});
  const std::vector one{p}, wrong{ones({3})};
  CHECK(TROUPE_ERROR_OF(update(update_rule::adam, p, one, p, 1, {})) == "adam: 1 states, not 2");
  CHECK(TROUPE_ERROR_OF(update(update_rule::sgd, ones({2}, int64), {}, p, 1, {})) ==
        "sgd: the parameter has no floats: int64[2]");
  CHECK(TROUPE_ERROR_OF(update(update_rule::sgd, p, {}, ones({2}, float64), 1, {})) ==
        "sgd: the gradient is float64[2], and the parameter float32[2]");
  CHECK(TROUPE_ERROR_OF(update(update_rule::adagrad, p, wrong, p, 1, {})) ==
        "adagrad: the state 0 is float32[3] and must be float32[2]");
  CHECK(TROUPE_ERROR_OF(update(update_rule::sgd, p, {}, p, p, {})) ==
        "sgd: the scale is float32[2], and the parameter float32[2]");
  CHECK(TROUPE_ERROR_OF(update(update_rule::sgd, p, {}, p.to(cpu(1)), 1, {})) ==
        "sgd: inputs on different devices: float32[2] on cpu:0 and float32[2] on cpu:1");
  CHECK(TROUPE_ERROR_OF(update(update_rule::sgd, p, {}, tensor(), 1, {})) ==
        "sgd: input 1 names no array yet");
}

}  // namespace troupe::testing
