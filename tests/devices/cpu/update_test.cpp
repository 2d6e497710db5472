// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <cmath>

#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/tests/devices/cpu/kernel_runner.hpp"

namespace troupe::testing {

namespace {

using namespace cpu_kernels;

constexpr update_attributes given{.rate = 0.1,
                                  .decay = 0.2,
                                  .limit = 1.5,
                                  .first = 0.9,
                                  .second = 0.99,
                                  .epsilon = 1e-3,
                                  .correction = 1.25};

update_rule rule_number(int i) { return static_cast<update_rule>(i); }

/// Returns the inputs of a rule: arrays of n numbers, large enough where a root is taken, and the
/// scale.
std::vector<owned> inputs_for(update_rule rule, dtype type, std::int64_t n) {
  std::vector<owned> in;
  for (int k = 0; k < info(rule).states + 2; ++k)
    in.push_back(owned(type, {n}).set([k](std::int64_t i) {
      return 2.5 * std::sin(static_cast<double>(i * 7 + k * 13)) + (k == 0 ? 0 : 3.5 * (4 - k));
    }));
  in.push_back(owned(type, {}).set([](auto) { return 0.75; }));
  return in;
}

/// Runs a rule with output k in the memory of `into[k]`.
void run_into(update_rule rule, const std::vector<owned>& in, const std::vector<owned>& into) {
  std::vector<array> inputs, outputs;
  for (const auto& x : in) inputs.push_back(x.view());
  for (const auto& x : into) outputs.push_back(x.view());
  const kernel_args args{inputs, outputs, &given};
  const auto* kernel = update_kernel(rule, in[0].type);
  for (auto chunk = kernel->chunks(args); chunk-- > 0;) kernel->run(args, chunk, chunk + 1);
}

std::vector<owned> fresh_outputs(update_rule rule, const owned& like) {
  std::vector<owned> out;
  for (int k = 0; k <= info(rule).states; ++k) out.emplace_back(like.type, like.shape);
  return out;
}

}  // namespace

TEST_CASE(
    "an update gives the same wherever its outputs lie: apart, or each in any input's place") {
  for (int number = 0; number < update_rule_count; ++number) {
    for (const auto type : {float32, float64}) {
      for (const std::int64_t n : {0, 1, 15, 16, 17, 1'000, 70'001}) {
        const auto rule = rule_number(number);
        CAPTURE(info(rule).name, name(type), n);
        const auto in = inputs_for(rule, type, n);
        auto expected = fresh_outputs(rule, in[0]);
        run_into(rule, in, expected);
        const auto arrays = in.size() - 1;
        for (std::size_t shift = 0; shift < arrays; ++shift) {
          const auto used = inputs_for(rule, type, n);
          std::vector<owned> places;
          for (std::size_t k = 0; k < expected.size(); ++k)
            places.push_back(used[(k + shift) % arrays]);
          run_into(rule, used, places);
          for (std::size_t k = 0; k < expected.size(); ++k)
            REQUIRE(places[k].same_bits(expected[k]));
        }
      }
    }
  }
}

TEST_CASE("an element's update does not depend on where it lies, nor on the strides of inputs") {
  for (int number = 0; number < update_rule_count; ++number) {
    const auto rule = rule_number(number);
    CAPTURE(info(rule).name);
    constexpr std::int64_t n = 3'001;
    const auto in = inputs_for(rule, float32, n);
    auto whole = fresh_outputs(rule, in[0]);
    run_into(rule, in, whole);
    auto some = in;
    for (auto& x : some) {
      if (!x.shape.empty()) x = x.stepped(0, -3);
    }
    auto parts = fresh_outputs(rule, some[0]);
    run_into(rule, some, parts);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      for (std::int64_t i = 0; i < parts[k].size(); ++i)
        REQUIRE(parts[k].at<float>(i) == whole[k].at<float>(n - 1 - 3 * i));
    }
  }
}

TEST_CASE("adam follows its formula, bit-equal in every instruction set") {
  const auto in = inputs_for(update_rule::adam, float64, 100);
  auto out = fresh_outputs(update_rule::adam, in[0]);
  run_into(update_rule::adam, in, out);
  for (std::int64_t i = 0; i < 100; ++i) {
    double p = in[0].at(i), a = in[1].at(i), b = in[2].at(i);
    const double g = std::clamp(in[3].at(i) * 0.75, -1.5, 1.5) + 0.2 * p;
    a = 0.9 * a + (1 - 0.9) * g;
    b = 0.99 * b + (1 - 0.99) * (g * g);
    p -= 0.1 * (a / (std::sqrt(b) * 1.25 + 1e-3));
    CHECK(out[0].at(i) == p);
    CHECK(out[1].at(i) == a);
    CHECK(out[2].at(i) == b);
  }
}

TEST_CASE("there are no updates of integers") {
  CHECK(update_kernel(update_rule::sgd, int64) == nullptr);
  CHECK(update_kernel(update_rule::sgd, boolean) == nullptr);
}

}  // namespace troupe::testing
