// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "troupe/tests/devices/cpu/kernel_runner.hpp"
#include "troupe/tests/near.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

owned apply(softmax_op op, const owned& x, int axis) {
  const softmax_attributes attributes{axis};
  owned out(x.type, x.shape);
  run(softmax_kernel(op, x.type), {x}, out, &attributes);
  REQUIRE(order_does_not_matter(softmax_kernel(op, x.type), {x}, x.type, x.shape, &attributes));
  return out;
}

void check(const owned& x, int axis) {
  const owned out = apply(softmax_op::softmax, x, axis),
              logarithms = apply(softmax_op::log_softmax, x, axis);
  const std::int64_t length = x.shape[static_cast<std::size_t>(axis)];
  const std::int64_t step = row_major(x.shape)[static_cast<std::size_t>(axis)];
  const double tolerance = x.type == float32 ? 1e-6 : 1e-13;
  std::vector<double> sums(
      static_cast<std::size_t>(x.size()));  // at the first element of each run along the axis
  const auto sum_of = [&](std::int64_t i) -> double& {
    return sums[static_cast<std::size_t>(i - i / step % length * step)];
  };
  for (std::int64_t i = 0; i < x.size(); ++i) sum_of(i) += std::exp(x.at(i));
  CAPTURE(x.shape, x.strides, axis, name(x.type));
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const double want = std::exp(x.at(i)) / sum_of(i);
    if (near(out.at(i), want, tolerance) && near(logarithms.at(i), std::log(want), tolerance))
      continue;
    CAPTURE(i, out.at(i), want, logarithms.at(i), std::log(want));
    FAIL("differs");
  }
}

owned logits(dtype type, const indices& shape) {
  owned x(type, shape);
  return x.set([](std::int64_t i) { return static_cast<double>((i * 7919) % 1009 - 504) / 100; });
}

}  // namespace

TEST_CASE("softmax and log_softmax agree with their definition over every axis and layout") {
  for (const dtype type : {float32, float64}) {
    for (int axis = 0; axis < 3; ++axis) {
      check(logits(type, {5, 7, 9}), axis);
      check(logits(type, {5, 7, 9}).transposed(), axis);
      check(logits(type, {5, 7, 18}).stepped(2, -2), axis);
    }
    for (int axis = 0; axis < 2; ++axis) {
      check(logits(type, {40, 600}), axis);
      check(logits(type, {600, 40}).transposed(), axis);
    }
    check(logits(type, {3000}), 0);
  }
}

TEST_CASE("softmax is stable, and infinities flow as in SciPy") {
  for (const bool by_columns : {false, true}) {
    const auto of = [&](softmax_op op, double a, double b) {
      owned x(float32, by_columns ? indices{2, 3} : indices{2});
      x.set([&](std::int64_t i) { return i < (by_columns ? 3 : 1) ? a : b; });
      return apply(op, x, 0).at(0);
    };
    REQUIRE(of(softmax_op::softmax, 1e30, 1e30) == 0.5);
    REQUIRE(of(softmax_op::softmax, -infinity, 0) == 0);
    REQUIRE(std::isnan(of(softmax_op::softmax, infinity, 0)));
    REQUIRE(std::isnan(of(softmax_op::softmax, -infinity, -infinity)));
    REQUIRE(of(softmax_op::log_softmax, -infinity, 0) == -infinity);
    REQUIRE(of(softmax_op::log_softmax, 1000, -1000) == 0);
    REQUIRE(of(softmax_op::log_softmax, -1000, 1000) == -2000);
  }
}

TEST_CASE("softmax of a short row does not depend on how many rows there are") {
  for (const dtype type : {float32, float64}) {
    for (std::int64_t n = 1; n <= 18; ++n) {
      const owned x = logits(type, {37, n});
      for (const auto op : {softmax_op::softmax, softmax_op::log_softmax}) {
        const owned all = apply(op, x, 1);
        for (std::int64_t row = 0; row < 37; row += 4) {
          const auto first = row * n;
          owned one(type, {1, n});
          one.set([&](std::int64_t i) { return x.at(first + i); });
          const owned alone = apply(op, one, 1);
          CAPTURE(name(type), n, row);
          for (std::int64_t i = 0; i < n; ++i) REQUIRE(alone.at(i) == all.at(first + i));
        }
      }
    }
  }
}

TEST_CASE("softmax of nothing, and of integers") {
  REQUIRE(apply(softmax_op::softmax, owned(float32, {0, 3}), 1).size() == 0);
  REQUIRE(apply(softmax_op::softmax, owned(float32, {3, 0}), 1).size() == 0);
  REQUIRE(softmax_kernel(softmax_op::softmax, int32) == nullptr);
}
