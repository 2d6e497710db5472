// SPDX-License-Identifier: MIT
#include "troupe/nn/sampling.hpp"

#include <cmath>
#include <limits>
#include <map>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

constexpr int rows_sampled = 20'000;

/// Returns the share of each token among many that are drawn from the same logits.
std::map<int, double> shares_drawn(const tensor& logits, const nn::sampling_options& options) {
  const auto rows = broadcast_to(logits, {rows_sampled, logits.size()});
  std::map<int, double> out;
  for (const int token : nn::sample_tokens(rows, options).to_vector<int>())
    out[token] += 1. / rows_sampled;
  return out;
}

void check_shares(const std::map<int, double>& found, const std::map<int, double>& want) {
  REQUIRE(found.size() == want.size());
  for (const auto& [token, share] : want) {
    CAPTURE(token, share);
    REQUIRE(found.count(token) == 1);
    CHECK(std::abs(found.at(token) - share) < 0.02);
  }
}

}  // namespace

TEST_CASE("tokens are drawn with the probabilities that the logits say") {
  test_engine e;
  const auto logits = log(tensor{0.1, 0.4, 0.2, 0.3});
  check_shares(shares_drawn(logits, {}), {{0, 0.1}, {1, 0.4}, {2, 0.2}, {3, 0.3}});
  check_shares(shares_drawn(logits.astype(float32), {.temperature = 0.5}),
               {{0, 0.01 / 0.3}, {1, 0.16 / 0.3}, {2, 0.04 / 0.3}, {3, 0.09 / 0.3}});
}

TEST_CASE(
    "top_k and top_p leave the likeliest tokens, whose shares stay as they are to each other") {
  test_engine e;
  const auto logits = log(tensor{0.1, 0.4, 0.2, 0.3});
  check_shares(shares_drawn(logits, {.top_k = 2}), {{1, 4. / 7}, {3, 3. / 7}});
  check_shares(shares_drawn(logits, {.top_k = 9}), {{0, 0.1}, {1, 0.4}, {2, 0.2}, {3, 0.3}});
  check_shares(shares_drawn(logits, {.top_p = 0.69}), {{1, 4. / 7}, {3, 3. / 7}});
  check_shares(shares_drawn(logits, {.top_p = 0.71}), {{1, 4. / 9}, {2, 2. / 9}, {3, 3. / 9}});
  check_shares(shares_drawn(logits, {.top_p = 0.01}), {{1, 1}});
  // Of the two likeliest, the first has 4/7.
  check_shares(shares_drawn(logits, {.top_k = 2, .top_p = 0.5}), {{1, 1}});
}

TEST_CASE("at temperature 0 the likeliest token is taken, the first of equal ones") {
  test_engine e;
  const tensor logits = {{1.f, 3.f, 3.f}, {0.f, -1.f, -2.f}};
  const auto tokens = nn::sample_tokens(logits, {.temperature = 0});
  CHECK(type_text(tokens) == "int64[2]");
  CHECK(numbers(tokens) == std::vector<double>{1, 0});
  CHECK(numbers(nn::sample_tokens(logits, {.top_k = 1})) == std::vector<double>{1, 0});
}

TEST_CASE("tokens have the shape of the rows, and the same key draws the same ones") {
  test_engine e;
  const auto logits = normal({2, 3, 50});
  CHECK(type_text(nn::sample_tokens(logits)) == "int64[2,3]");
  CHECK(type_text(nn::sample_tokens(normal({7}), {.top_k = 3, .top_p = 0.9})) == "int64[]");
  for (const double top_p : {1., 0.8}) {
    const nn::sampling_options o{.top_p = top_p, .key = random_key(4)};
    CHECK(numbers(nn::sample_tokens(logits, o)) == numbers(nn::sample_tokens(logits, o)));
  }
  CHECK(numbers(nn::sample_tokens(logits, {.key = random_key(4)})) !=
        numbers(nn::sample_tokens(logits, {.key = random_key(5)})));
}

TEST_CASE("compiled sampling draws what sampling draws") {
  test_engine e;
  const auto logits = normal({4, 20});
  for (const double temperature : {0., 0.7}) {
    const auto draw = [&](const tensor& x) {
      return nn::sample_tokens(x, {.temperature = temperature, .top_k = 10, .top_p = 0.9});
    };
    const auto program = compile(draw);
    for (int i = 0; i < 4; ++i) {
      e.engine.seed(3);
      const auto expected = numbers(draw(logits));
      e.engine.seed(3);
      CHECK(numbers(program(logits)) == expected);
    }
  }
}

TEST_CASE("a row without a possible token fails") {
  test_engine e;
  constexpr double never = -std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(nn::sample_tokens(tensor{never, never}, {.top_k = 1}).wait(), task_error);
  CHECK_THROWS_AS(nn::sample_tokens(tensor{NAN, NAN}, {.top_p = 0.9}).wait(), task_error);
  CHECK_THROWS_AS(nn::sample_tokens(tensor{never, never}).wait(), task_error);
  CHECK_THROWS_AS(nn::sample_tokens(tensor{{0., 1., 2.}, {NAN, 1., 2.}}).wait(), task_error);
  CHECK_THROWS_AS(nn::sample_tokens(tensor{1., NAN}, {.top_k = 1}).wait(), task_error);
  CHECK(numbers(nn::sample_tokens(tensor{{never, 1.}, {2., never}})) == std::vector<double>{1, 0});
}

TEST_CASE("sampling that makes no sense is refused in one line") {
  test_engine e;
  const auto x = ones({2, 3});
  CHECK(TROUPE_ERROR_OF(nn::sample_tokens(tensor())) ==
        "sample_tokens: x is a tensor without an array");
  CHECK(TROUPE_ERROR_OF(nn::sample_tokens(ones({2, 3}, int64))) ==
        "sample_tokens: x is int64[2,3], but must have floats");
  CHECK(TROUPE_ERROR_OF(nn::sample_tokens(ones({2, 0}))) ==
        "sample_tokens: there are no tokens: the logits are float32[2,0]");
  CHECK(TROUPE_ERROR_OF(nn::sample_tokens(x, {.temperature = -1})) ==
        "sample_tokens: the temperature is -1.0 and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::sample_tokens(x, {.top_k = -1})) ==
        "sample_tokens: top_k is -1 and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::sample_tokens(x, {.top_p = 0})) ==
        "sample_tokens: top_p is 0.0 and must be above 0 and at most 1");
}

}  // namespace troupe::testing
