// SPDX-License-Identifier: MIT
#include <cmath>

#include "troupe/nn/group_norm.hpp"
#include "troupe/nn/rms_norm.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/nn/check_near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"

namespace troupe::testing {

TEST_CASE("group_norm normalises each group of a sample's channels") {
  test_engine e;
  const auto x = spread({2, 6, 2, 3});
  for (const std::int64_t groups : {1, 2, 3, 6}) {
    nn::group_norm net(groups, {.epsilon = 1e-3});
    net(x);
    net.weight.assign(spread({6}, 1));
    net.bias.assign(spread({6}, 2));
    auto want = numbers(x);
    const auto weight = numbers(net.weight), bias = numbers(net.bias);
    const auto size = static_cast<std::size_t>(36 / groups);
    for (std::size_t first = 0; first < want.size(); first += size) {
      double mean = 0, square = 0;
      for (std::size_t i = first; i < first + size; ++i) {
        mean += want[i] / static_cast<double>(size);
        square += want[i] * want[i] / static_cast<double>(size);
      }
      for (std::size_t i = first; i < first + size; ++i)
        want[i] = (want[i] - mean) / std::sqrt(square - mean * mean + 1e-3) * weight[i / 6 % 6] +
                  bias[i / 6 % 6];
    }
    check_near(numbers(net(x)), want, 1e-11);
  }
  CHECK(nn::group_norm(2)(zeros({0, 4, 3})).shape() == shape{0, 4, 3});
}

TEST_CASE("rms_norm divides by the root of the mean square") {
  test_engine e;
  const auto x = spread({3, 5});
  nn::rms_norm net({.epsilon = 0.1}), bare({.affine = false});
  net(x);
  net.weight.assign(spread({5}, 1));
  auto want = numbers(x);
  const auto weight = numbers(net.weight);
  for (std::size_t row = 0; row < 3; ++row) {
    double square = 0.1;
    for (std::size_t i = 0; i < 5; ++i) square += want[row * 5 + i] * want[row * 5 + i] / 5;
    for (std::size_t i = 0; i < 5; ++i) want[row * 5 + i] *= weight[i] / std::sqrt(square);
  }
  check_near(net(x), want);
  CHECK(nn::parameters(bare).empty());
  // Squares of 300 are beyond float16.
  CHECK(numbers(bare(full({4}, 300.f).astype(float16))) == std::vector<double>{1, 1, 1, 1});
}

TEST_CASE(
    "the gradients of group_norm and rms_norm agree with finite differences, and compiled "
    "they compute the same") {
  test_engine e;
  const auto check = [](auto net, const tensor& x) {
    check_parameter_gradients(net, [&] { return net(x); });
    check_gradients([&](const auto& in) { return net(in[0]); }, {x});
    const auto program = compile([&](const tensor& in) { return net(in); });
    for (int i = 0; i < 3; ++i) CHECK(numbers(program(x)) == numbers(net(x)));
  };
  check(nn::group_norm(2), spread({2, 4, 3}));
  check(nn::rms_norm(), spread({3, 4}));
}

TEST_CASE("group_norm and rms_norm refuse invalid arguments and inputs") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(nn::group_norm(0)) == "group_norm: 0 groups: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::group_norm(1, {.epsilon = -1})) ==
        "group_norm: a negative epsilon -1");
  CHECK(TROUPE_ERROR_OF(nn::rms_norm({.epsilon = -1})) == "rms_norm: a negative epsilon -1");
  nn::group_norm net(2);
  CHECK(TROUPE_ERROR_OF(net(ones({2, 3, 4}))) ==
        "group_norm: x is float32[2,3,4], whose channels are no multiple of 2 groups");
  net(ones({2, 4}));
  CHECK(TROUPE_ERROR_OF(net(ones({2, 6}))) ==
        "group_norm: 4 channels expected, but x is float32[2,6]");
  nn::rms_norm rms;
  rms(ones({2, 3}));
  CHECK(TROUPE_ERROR_OF(rms(ones({2, 4}))) ==
        "rms_norm: [3] expected in the last axis, but x is float32[2,4]");
  CHECK(TROUPE_ERROR_OF(rms(ones({2, 4}, int64))) ==
        "rms_norm: x is int64[2,4], but must have floats");
}

}  // namespace troupe::testing
