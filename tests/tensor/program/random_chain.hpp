// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

/// Chain of elementwise functions, of which there are more than in other random functions: on
/// arrays of one shape, or that broadcast to it, and dtypes of one kind.
struct random_chain {
  unsigned seed;

  std::vector<tensor> operator()(const std::vector<tensor>& in) const {
    std::mt19937 random(seed);
    auto pool = in;
    const auto any = [&]() -> tensor { return pool[random() % pool.size()]; };
    for (int i = 0; i < 3 + static_cast<int>(seed % 20); ++i) {
      const auto op = static_cast<elementwise_op>(random() % elementwise_op_count);
      const auto x = any(), y = any(), w = any();
      const auto some = static_cast<std::int64_t>(random() % 19) - 9;
      const auto number = random() % 2 ? scalar(some) : scalar(static_cast<double>(some) / 2);
      const tensor_or_scalar all[] = {x, random() % 4 ? tensor_or_scalar(y) : number, w};
      constexpr dtype others[] = {int32, int64, float32, float64};
      const auto other = others[random() % std::size(others)];
      try {
        if (random() % 8 == 0) pool.push_back(astype(x, other));
        pool.push_back(elementwise(op, {all, static_cast<std::size_t>(info(op).arity)}));
      } catch (const error&) {}
    }
    return {pool.back(), any(), any()};
  }
};

inline std::vector<tensor> arguments_of_chains(unsigned seed) {
  static constexpr std::int64_t sizes[][3] = {
      {1, 1, 5000}, {8, 8, 130}, {4, 5, 501}, {5003, 1, 1}, {10, 20, 33}};
  constexpr dtype small[] = {int8, uint8, int16, uint16};
  const auto& [planes, rows, columns] = sizes[seed % std::size(sizes)];
  const shape whole{planes, rows, columns};
  return {normal(whole),
          normal({columns}, 0, 3),
          normal({planes, 1, 1}, 0, 1, {.dtype = seed % 3 ? float32 : float64}),
          normal({rows, seed % 2 ? columns : 1}),
          randint(whole, -5, 5, {.dtype = seed % 2 ? int32 : int64}),
          uniform(whole) < 0.5,
          astype(randint(whole, -40'000, 70'000), small[seed / 5 % std::size(small)])};
}

/// True if both have the same bits, apart from the sign of NaNs: where two meet, which of them a
/// sum keeps differs already from one element to the next.
inline bool same_numbers(const tensor& a, const tensor& b) {
  if (a.type() != b.type()) return false;
  const auto x = numbers(a), y = numbers(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](double p, double q) {
    return std::bit_cast<std::uint64_t>(p) == std::bit_cast<std::uint64_t>(q) || (p != p && q != q);
  });
}

}  // namespace troupe::testing
