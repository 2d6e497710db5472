// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <random>
#include <vector>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

/// Function of a few tensors that depends only on its seed: operations of all kinds on views,
/// broadcast shapes and all dtypes. What an operation refuses is left out.
struct random_function {
  unsigned seed;

  std::vector<tensor> operator()(const std::vector<tensor>& in) const {
    std::mt19937 random(seed);
    auto pool = in;
    const auto below = [&](std::size_t n) { return random() % n; };
    const auto any = [&]() -> tensor { return pool[below(pool.size())]; };
    const auto count = 3 + below(25);
    for (std::size_t i = 0; i < count; ++i) {
      const auto kind = below(kinds);
      const auto x = any(), y = any();
      const auto choice = below(1000);
      try {
        pool.push_back(made(kind, x, y, choice));
      } catch (const error&) {}
    }
    std::vector<tensor> out;
    for (std::size_t i = 0; i < 1 + below(3); ++i) out.push_back(any());
    out.push_back(pool.back());
    return out;
  }

 private:
  static constexpr std::size_t kinds = 23;

  static tensor made(std::size_t kind, const tensor& x, const tensor& y, std::size_t choice) {
    const bool grows = x.shape() != y.shape() && x.size() > 500 && y.size() > 500;
    if (grows && (kind == 2 || kind == 3 || kind == 4 || kind == 7 || kind == 13)) return x;
    const auto axis = x.rank() > 0 ? static_cast<int>(choice) % x.rank() : 0;
    switch (kind) {
      case 0: return unary(x, choice);
      case 1: return unary(x, choice);
      case 2: return binary(x, y, choice);
      case 3: return binary(x, y, choice);
      case 4: return binary(x, y, choice);
      case 5: return x * (static_cast<double>(choice) / 300) + 1;
      case 6: return 2 - x;
      case 7: return where(x > y, x, y);
      case 8: return astype(x, all_dtypes[choice % std::size(all_dtypes)]);
      case 9: return x.slice(axis, 1, std::nullopt, 1 + static_cast<int>(choice) % 2);
      case 10: return x.rank() > 1 ? x.swapaxes(0, -1) : x;
      case 11: return choice % 2 ? sum(x, axis, keepdims) : max(x, axis, keepdims);
      case 12: return choice % 2 ? mean(x, axis, keepdims) : softmax(astype(x, float32), axis);
      case 13: return matmul(astype(x, float32), astype(y, float32));
      case 14: return x.flatten();
      case 15: return x + uniform(x.shape());
      case 16: return choice % 2 ? concatenate({x, x}, axis) : zeros(x.shape()) + x;
      case 17: return slope(x);
      case 18: return by_rows(astype(x, choice % 2 ? float32 : float64), choice / 2);
      case 19: return unary(x, choice) + unary(x, choice) * choice;
      case 20: return of_all(x, choice);
      case 21: return behind_product(x, y, choice);
      default: return x * with_constants(choice);
    }
  }

  static tensor of_all(const tensor& x, std::size_t choice) {
    const auto y = x * 0.5 + 1;
    switch (choice % 6) {
      case 0: return x - mean(y);
      case 1: return y + sum(square(x - y));
      case 2: return astype(argmax(y), float32) + max(y);
      case 3: return (y - min(y)) / (max(y) - min(y) + 1);
      case 4: return y * any(y > 2) + var(y.flatten());
      default: return x + logsumexp(y);
    }
  }

  static tensor behind_product(const tensor& x, const tensor& y, std::size_t choice) {
    if (x.rank() != 2 || x.shape()[0] > 1000) return x;
    const auto a = astype(x, choice % 2 ? float32 : float64);
    const auto p = matmul(a, a.T());
    switch (choice % 5) {
      case 0: return maximum(p * 0.01 - 1, 0);
      case 1: return tanh(p) * p;
      case 2: return p + sum(y);
      case 3: return where(p > 0, p, y);
      default: return p * 0.5 > 1;
    }
  }

  static tensor by_rows(const tensor& x, std::size_t choice) {
    if (x.rank() == 0) return x;
    const auto y = x - row_statistic(x, choice);
    const auto z = exp(y * 0.1) * x;
    return z / (abs(row_statistic(z, choice / 8)) + 1);
  }

  static tensor row_statistic(const tensor& x, std::size_t choice) {
    switch (choice % 8) {
      case 0: return sum(x, -1, keepdims);
      case 1: return max(x, -1, keepdims);
      case 2: return mean(x, -1, keepdims);
      case 3: return min(x, -1, keepdims);
      case 4: return var(x, -1, 1, keepdims);
      case 5: return logsumexp(x, -1, keepdims);
      case 6: return norm(x, -1, keepdims);
      default: return astype(argmax(x, -1, keepdims), x.dtype());
    }
  }

  static tensor with_constants(std::size_t choice) {
    const auto table = from_data(std::vector<float>{1, -2, 3, 0.5f}, {2, 2});
    const auto y = matmul(unary(table, choice), table) + full({2}, 2.f);
    return choice % 3 ? sum(y) : y[0][choice % 2];
  }

  static tensor unary(const tensor& x, std::size_t choice) {
    switch (choice % 8) {
      case 0: return exp(x * 0.1);
      case 1: return tanh(x);
      case 2: return abs(x);
      case 3: return -x;
      case 4: return sqrt(abs(x));
      case 5: return sin(x);
      case 6: return floor(x);
      default: return relu(x);
    }
  }

  static tensor binary(const tensor& x, const tensor& y, std::size_t choice) {
    switch (choice % 7) {
      case 0: return x + y;
      case 1: return x - y;
      case 2: return x * y;
      case 3: return x / y;
      case 4: return maximum(x, y);
      case 5: return x < y;
      default: return minimum(x, y);
    }
  }

  static tensor slope(const tensor& x) {
    return grad([](const tensor& z) { return sum(tanh(z) * z); })(astype(x, float32));
  }
};

/// Returns arguments for such functions: of several dtypes and shapes that broadcast with each
/// other, some of them views.
inline std::vector<tensor> random_arguments(unsigned seed) {
  std::mt19937 random(seed);
  static constexpr std::int64_t sizes[][2] = {{3, 4}, {1, 1}, {64, 70},   {1, 5000},   {130, 64},
                                              {0, 3}, {5, 1}, {200, 210}, {1, 30'000}, {200, 210}};
  const auto& [rows, columns] = sizes[random() % std::size(sizes)];
  const tensor base = normal({rows, columns}, 0, 2);
  const tensor turned = normal({columns, rows}, 0, 2);
  return {base,
          turned.T(),
          normal({columns}, 0, 1, {.dtype = float64}),
          randint({rows, 1}, -5, 5, {.dtype = int32}),
          astype(normal({rows, columns}), float16),
          base > 0};
}

/// True if both have the same type and the same bits.
inline bool same_bits(const tensor& a, const tensor& b) {
  if (a.type() != b.type()) return false;
  const auto x = numbers(a), y = numbers(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](double p, double q) {
    return std::bit_cast<std::uint64_t>(p) == std::bit_cast<std::uint64_t>(q);
  });
}

}  // namespace troupe::testing
