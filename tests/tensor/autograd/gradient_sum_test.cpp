// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/gradient_sum.hpp"

#include <random>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/effort.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

/// A view of an array of shape [4, 6, 5], of any kind: rows, columns, elements, every other
/// element, backwards, transposed, repeated, of nothing, of all.
tensor some_view(tensor x, std::mt19937& random) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
  };
  const auto item = [&](int axis) -> index {
    const auto n = x.shape()[axis];
    switch (below(6)) {
      case 0: return below(n);
      case 1: {
        const auto from = below(n);
        return range{from, from + 1 + below(n - from)};
      }
      case 2: return range{n - 1, {}, -1 - below(2)};
      case 3: return range{below(2), {}, 2};
      default: return every;
    }
  };
  const index first = item(0), second = item(1), third = item(2);
  x = x(first, second, third);
  if (x.rank() > 0 && below(8) == 0) x = x(range{0, 0});
  if (x.rank() > 1 && below(4) == 0) x = x.T();
  if (below(5) == 0)
    x = broadcast_to(x, [&] {
      shape wide{2};
      for (const auto n : x.shape()) wide.push_back(n);
      return wide;
    }());
  return x;
}

}  // namespace

TEST_CASE("gradients of any views of an array add up where the views lie") {
  for (int seed = 0; seed < cases(400); ++seed) {
    test_engine e;
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    tensor x = arange(120, float64).reshape({4, 6, 5}).copy();
    const tensor places = arange(120, int64).reshape({4, 6, 5});
    x.attach_grad();
    std::vector<double> expected(120, 0);
    {
      const recording on;
      tensor loss = zeros({}, float64);
      for (int part = 0; part < 1 + seed % 12; ++part) {
        auto again = random;
        const auto seen = some_view(x, random);
        const auto where = numbers(some_view(places, again));
        const auto weight = static_cast<double>(part + 1);
        loss = loss + sum(seen * weight);
        for (const auto i : where) expected[static_cast<std::size_t>(i)] += weight;
      }
      loss.backward();
    }
    CHECK(numbers(x.grad()) == expected);
  }
}

TEST_CASE("gradients of rows and columns are laid side by side, once") {
  synchronous_engine engine(two_devices(), 100000);
  const auto tasks = [&](std::string_view name) {
    const auto log = engine.trace({});
    return std::count_if(log.events.begin(), log.events.end(),
                         [&](const auto& e) { return e.name == name; });
  };
  tensor x = ones({500, 3});
  x.attach_grad();
  {
    const recording on;
    tensor all = zeros({});
    for (std::int64_t i = 0; i < 500; ++i) all = all + sum(x[i] * static_cast<double>(i));
    for (std::int64_t i = 0; i < 3; ++i) all = all + sum(x(every, i) * 1000.);
    all.backward();
  }
  CHECK(tasks("unslice") == 0);
  CHECK(tasks("concatenate") == 2);
  for (std::int64_t i = 0; i < 500; i += 100)
    CHECK(numbers(x.grad()[i]) == std::vector<double>(3, static_cast<double>(1000 + i)));
}

TEST_CASE("gradients of many views of nearly all of an array do not pile up") {
  synchronous_engine engine(two_devices(), 100000);
  tensor x = ones({1000});
  x.attach_grad();
  {
    const recording on;
    tensor all = zeros({});
    for (int i = 0; i < 200; ++i) all = all + sum(x[range{i % 2, 999 + i % 2}]);
    all.backward();
  }
  CHECK(numbers(x.grad()[range{0, 2}]) == std::vector<double>{100, 200});
  CHECK(numbers(x.grad()[range{998, {}}]) == std::vector<double>{200, 100});
}

}  // namespace troupe::testing
