// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "troupe/nn/schedule.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

list rates(const nn::schedule& s, std::int64_t steps) {
  list out;
  for (std::int64_t i = 0; i < steps; ++i) out.push_back(s(i));
  return out;
}

list approximately(const list& from) {
  list out;
  for (const double x : from) out.push_back(std::round(x * 1e12) / 1e12);
  return out;
}

}  // namespace

TEST_CASE("schedules give the rates of their formulas") {
  CHECK(rates(0.5, 3) == list{0.5, 0.5, 0.5});
  CHECK(rates([](std::int64_t step) { return 1. / static_cast<double>(step + 1); }, 3) ==
        list{1, 1. / 2, 1. / 3});
  CHECK(rates(nn::step_decay(8, 2, 0.5), 6) == list{8, 8, 4, 4, 2, 2});
  CHECK(rates(nn::multi_step(8, {1, 4}, 0.25), 6) == list{8, 2, 2, 2, 0.5, 0.5});
  CHECK(rates(nn::exponential(8, 0.5), 4) == list{8, 4, 2, 1});
  CHECK(approximately(rates(nn::cosine(2, 4, 1), 7)) ==
        approximately({2, 1.5 + std::sqrt(0.125), 1.5, 1.5 - std::sqrt(0.125), 1, 1, 1}));
  CHECK(approximately(rates(nn::cosine_restarts(2, 2), 5)) == list{2, 1, 2, 1, 2});
  const auto once = nn::cosine_restarts(2, 2, std::numeric_limits<std::int64_t>::max());
  CHECK(once(2) == 2);
  CHECK(once(1'000'000'000) == Approx(2));  // a wave of infinite length
  CHECK(approximately(rates(nn::cosine_restarts(2, 2, 2), 8)) ==
        approximately({2, 1, 2, 1 + std::sqrt(0.5), 1, 1 - std::sqrt(0.5), 2,
                       1 + std::cos(std::numbers::pi / 8)}));
  CHECK(rates(nn::polynomial(4, 4), 6) == list{4, 3, 2, 1, 0, 0});
  CHECK(rates(nn::polynomial(1, 2, 0, 0.5), 4) == list{1, 1, 0.5, 0.5});
  CHECK(rates(nn::polynomial(5, 4, 2, 1), 5) == list{5, 1 + 4 * 0.5625, 2, 1.25, 1});
  CHECK(rates(nn::linear(1, 3, 2), 4) == list{1, 2, 3, 3});
}

TEST_CASE("one_cycle rises and falls as PyTorch's") {
  // With 10 steps and a share of 0.3 the top is at step 2, and the end at step 9.
  const auto r = rates(nn::one_cycle(1, 10), 12);
  CHECK(r[0] == Approx(0.04));
  CHECK(r[1] == Approx(0.52));
  CHECK(r[2] == 1);
  CHECK(r[3] == Approx(4e-6 + (1 - 4e-6) * (1 + std::cos(std::numbers::pi / 7)) / 2));
  for (const std::size_t i : {9u, 10u, 11u}) CHECK(r[i] == Approx(4e-6));
  CHECK(TROUPE_ERROR_OF(nn::one_cycle(1, 10, 1)) ==
        "one_cycle: a share of 1.0 of 10 steps: it must have two at least and leave some");
  CHECK(TROUPE_ERROR_OF(nn::one_cycle(1, 5)) ==
        "one_cycle: a share of 0.3 of 5 steps: it must have two at least and leave some");
}

TEST_CASE("schedules compose") {
  CHECK(rates(nn::warm_up(2, nn::exponential(8, 0.5)), 5) == list{0, 4, 8, 4, 2});
  CHECK(rates(nn::warm_up(2, 8, 0.5), 4) == list{4, 6, 8, 8});
  CHECK(rates(nn::in_turn(1, 2, nn::linear(5, 7, 2)), 5) == list{1, 1, 5, 6, 7});
  CHECK(rates(nn::by_epoch(2, nn::exponential(8, 0.5)), 5) == list{8, 8, 4, 4, 2});
}

TEST_CASE("invalid schedules are refused where they are created") {
  CHECK(TROUPE_ERROR_OF(nn::step_decay(-1, 2)) ==
        "step_decay: the rate is -1.0 and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::step_decay(1, 0)) == "step_decay: 0 steps: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::multi_step(1, {4, 2})) == "multi_step: the milestones do not ascend");
  CHECK(TROUPE_ERROR_OF(nn::exponential(1, std::nan(""))) ==
        "exponential: the factor is nan and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::cosine(1, -5)) == "cosine: -5 steps: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::cosine_restarts(1, 5, 0)) ==
        "cosine_restarts: 0 times: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::polynomial(1, 5, 1, -1)) ==
        "polynomial: the least rate is -1.0 and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::linear(1, -1, 5)) == "linear: the rate is -1.0 and must be 0 or more");
  CHECK(TROUPE_ERROR_OF(nn::warm_up(0, 1)) == "warm_up: 0 steps: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::in_turn(1, 0, 1)) == "in_turn: 0 steps: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::by_epoch(0, 1)) == "by_epoch: 0 steps: there must be one at least");
}

}  // namespace troupe::testing
