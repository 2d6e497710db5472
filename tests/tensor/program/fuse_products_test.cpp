// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tests/effort.hpp"
#include "troupe/tests/tensor/program/told_of.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

/// Elementwise operations that run behind products, on what each chunk has written.

namespace troupe::testing {

namespace {

using results = std::vector<tensor>;

const auto behind_matmul = Catch::Contains("fused matmul, ");

}  // namespace

TEST_CASE("what follows a product is computed behind it, to the bit") {
  test_engine e;
  struct sizes {
    shape a, b;
  };
  const sizes all[] = {{{70, 40}, {40, 70}},         {{60, 2560}, {2560, 100}},
                       {{300, 40}, {40, 70}},        {{1024, 300}, {300, 700}},
                       {{700, 130}, {130, 5000}},    {{1, 900}, {900, 9001}},
                       {{9001, 300}, {300, 1}},      {{3, 90, 30}, {30, 41}},
                       {{5, 120, 90}, {5, 90, 110}}, {{600, 600}, {600, 600}}};
  for (const char* const jit : {"1", "0"}) {
    if (sanitized && *jit == '1') continue;  // such builds have no compiler
    ::setenv("TROUPE_JIT", jit, 1);
    for (const auto& [left, right] : all) {
      for (const auto type : {float32, float64, int32}) {
        CAPTURE(jit, left, right, type);
        const auto a = astype(normal(left, 0, 3), type), b = astype(normal(right, 0, 3), type);
        const auto bias = astype(normal({right[right.rank() - 1]}, 0, 3), type);
        const auto f = [](const tensor& x, const tensor& y, const tensor& z) {
          return results{maximum(matmul(x, y) * 2 - z, 0)};
        };
        const auto told = told_of(f, a, b, bias);
        CHECK_THAT(told, Catch::Contains("fused matmul, multiply, subtract, maximum (") &&
                             Catch::Contains("  1 task\n"));
      }
    }
  }
  ::unsetenv("TROUPE_JIT");
}

TEST_CASE("transposed and broadcast operands of a product stay where they are") {
  test_engine e;
  const auto a = normal({500, 90}), b = normal({80, 500}), c = normal({500, 1});
  const auto f = [](const tensor& x, const tensor& y, const tensor& z) {
    return results{exp(matmul(x.T(), y.T()) * 0.01) + z.slice(0, 0, 90), z * 2};
  };
  CHECK_THAT(told_of(f, a, b, c), behind_matmul);
}

TEST_CASE("a layer's batch axes are those of what follows it") {
  test_engine e;
  const auto x = normal({6, 50, 70}), w = normal({70, 90}), b = normal({90});
  const auto f = [](const tensor& in, const tensor& weight, const tensor& bias) {
    return results{tanh(linear(in, weight, bias)) * 3};
  };
  CHECK_THAT(told_of(f, x, w, b), Catch::Contains("fused linear, "));
}

TEST_CASE("a product may be needed as well") {
  test_engine e;
  const auto a = normal({200, 70}), b = normal({70, 90});
  const auto f = [](const tensor& x, const tensor& y) {
    const auto p = matmul(x, y);
    return results{p, p * p + p, sum(p, 0), p.T() + 1};
  };
  CHECK_THAT(told_of(f, a, b), behind_matmul);
}

TEST_CASE("a product is not joined where no result could take its place") {
  test_engine e;
  const auto a = normal({200, 70}), b = normal({70, 90});
  const auto is_positive = [](const tensor& x, const tensor& y) {
    return results{matmul(x, y) * 2 > 0};
  };
  CHECK_THAT(told_of(is_positive, a, b), !behind_matmul && Catch::Contains("fused multiply, "));
  const auto early = [](const tensor& x, const tensor& y) {
    const auto p = matmul(x, y), q = p * 2;
    return results{q, q * p > 1};  // q is written before p is read for the last time
  };
  CHECK_THAT(told_of(early, a, b), !behind_matmul);
  const auto turned = [](const tensor& x, const tensor& y) {
    return results{exp(matmul(x, y).T() * 0.01)};
  };
  CHECK_THAT(told_of(turned, a, b), !behind_matmul);
}

TEST_CASE("lanes that elementwise operations would get are not lost behind a product") {
  test_engine e;
  const auto a = normal({300, 1}), b = normal({1, 400});
  const auto f = [](const tensor& x, const tensor& y) { return results{exp(matmul(x, y)) * 2}; };
  CHECK_THAT(told_of(f, a, b), !behind_matmul);
}

TEST_CASE("a product waits for nothing but its operands") {
  test_engine e;
  const auto a = normal({200, 70}), b = normal({70, 200}), c = normal({200, 200});
  const auto both = [](const tensor& x, const tensor& y) {
    const auto p = matmul(x, y), q = matmul(y, x);
    return results{p * 2 + sum(q)};
  };
  CHECK_THAT(told_of(both, a, b), !Catch::Contains("multiply, add"));
  const auto residual = [](const tensor& x, const tensor& y) {
    const auto h = sum(x, 1, keepdims) * x;
    return results{h + maximum(matmul(h, y), 0)};
  };
  CHECK_THAT(told_of(residual, c, c), Catch::Contains("fused matmul, maximum, add ("));
}

TEST_CASE("gradients of layers are computed behind products") {
  test_engine e;
  const auto x = normal({300, 100}), w1 = normal({100, 200}), w2 = normal({200, 80});
  const auto loss = [](const std::vector<tensor>& in) {
    return mean(square(matmul(maximum(matmul(in[0], in[1]), 0), in[2])));
  };
  const auto slopes = [&](const tensor& a, const tensor& first, const tensor& second) {
    return results(grad(loss)({a, first, second}));
  };
  CHECK_THAT(told_of(slopes, x, w1, w2), behind_matmul);
}

}  // namespace troupe::testing
