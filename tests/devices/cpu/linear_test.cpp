// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <catch2/catch.hpp>

#include "troupe/tests/devices/cpu/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

void check(const owned& a, const owned& b, const owned& bias) {
  const auto m = a.shape[0], k = a.shape[1], n = b.shape[1];
  const auto as = a.values(), bs = b.values(), biases = bias.values();
  const auto rows = static_cast<std::size_t>(m), inner = static_cast<std::size_t>(k),
             columns = static_cast<std::size_t>(n);
  CAPTURE(name(a.type), m, k, n, bias.strides);
  for (const auto op : {linear_op::linear, linear_op::linear_relu}) {
    owned out(a.type, {m, n});
    out.set([](auto) { return 1; });
    run(linear_kernel(op, a.type), {a, b, bias}, out);
    const auto outs = out.values();
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        double sum = biases[j];
        for (std::size_t l = 0; l < inner; ++l) sum += as[i * inner + l] * bs[l * columns + j];
        wrong += outs[i * columns + j] != (op == linear_op::linear_relu && sum < 0 ? 0 : sum);
      }
    }
    CHECK(wrong == 0);
    CHECK(order_does_not_matter(linear_kernel(op, a.type), {a, b, bias}, a.type, {m, n}));
  }
}

}  // namespace

TEST_CASE("a bias is added to every part of a product, of all shapes and layouts") {
  for (const auto type : {float32, float64}) {
    const auto make = [&](const indices& shape) { return small_integers(type, shape); };
    for (const auto& [m, k, n] : std::vector<std::array<std::int64_t, 3>>{
             {1, 1, 1}, {2, 3, 4}, {30, 40, 20}, {1, 70, 90}, {90, 70, 1}, {5, 0, 7}, {0, 3, 4}}) {
      for (const auto& bias : {make({n}), make({2 * n}).stepped(0, 2), make({n}).stepped(0, -1),
                               make({1}).broadcast({n})}) {
        for (const auto& a : {make({m, k}), make({k, m}).transposed()})
          check(a, make({k, n}), bias);
      }
    }
    check(make({1100, 4}), make({4, 5000}), make({5000}));  // a grid of parts
    check(make({1, 900}), make({900, 800}), make({800}));
    check(make({32, 784}), make({784, 64}), make({64}));
  }
}

TEST_CASE("products with a bias exist for floats alone") {
  for (const auto type : {boolean, int32, int64})
    CHECK(linear_kernel(linear_op::linear, type) == nullptr);
}
