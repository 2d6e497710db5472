// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "troupe/devices/cpu/blas.hpp"
#include "troupe/devices/cpu/features.hpp"
#include "troupe/tests/devices/cpu/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

void check(const owned& a, const owned& b) {
  const std::size_t rank = a.shape.size();
  const std::int64_t m = a.shape[rank - 2], k = a.shape[rank - 1], n = b.shape[rank - 1];
  indices shape = a.shape;
  shape[rank - 1] = n;
  owned out(a.type, shape);
  out.set([](auto) { return 1; });
  run(matmul_kernel(a.type), {a, b}, out);
  std::vector<double> left(static_cast<std::size_t>(a.size())),
      right(static_cast<std::size_t>(b.size()));
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = a.at(static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = b.at(static_cast<std::int64_t>(i));
  std::int64_t wrong = 0;
  std::vector<double> sums(static_cast<std::size_t>(n));
  for (std::int64_t row = 0; row < out.size() / std::max<std::int64_t>(n, 1); ++row) {
    std::fill(sums.begin(), sums.end(), 0);
    for (std::int64_t j = 0; j < k; ++j) {
      const double x = left[static_cast<std::size_t>(row * k + j)];
      const double* y = right.data() + (row / m * k + j) * n;
      for (std::int64_t column = 0; column < n; ++column)
        sums[static_cast<std::size_t>(column)] += x * y[column];
    }
    for (std::int64_t column = 0; column < n; ++column) {
      const double sum = sums[static_cast<std::size_t>(column)];
      // Whole numbers, exact in all dtypes.
      wrong += out.at(row * n + column) != (a.type == boolean ? sum != 0 : sum);
    }
  }
  CAPTURE(name(a.type), a.shape, a.strides, b.shape, b.strides);
  REQUIRE(wrong == 0);
  REQUIRE(order_does_not_matter(matmul_kernel(a.type), {a, b}, a.type, shape));
}

}  // namespace

TEST_CASE("products of all dtypes, shapes and layouts are right") {
  for (const dtype type : computed_dtypes) {
    for (const auto& [m, k, n] : std::vector<std::array<std::int64_t, 3>>{{1, 1, 1},
                                                                          {2, 3, 4},
                                                                          {7, 30, 11},
                                                                          {30, 40, 20},
                                                                          {1, 70, 90},
                                                                          {90, 70, 1},
                                                                          {1, 2000, 1},
                                                                          {60, 3, 40}}) {
      const auto layouts = [&](std::int64_t rows, std::int64_t columns) -> std::vector<owned> {
        return {small_integers(type, {rows, columns}),
                small_integers(type, {columns, rows}).transposed(),
                small_integers(type, {rows, 2 * columns}).stepped(1, 2),
                small_integers(type, {2 * rows, columns}).stepped(0, 2),
                small_integers(type, {rows, columns}).stepped(0, -1),
                small_integers(type, {rows, columns}).stepped(1, -1),
                small_integers(type, {1, columns}).broadcast({rows, columns}),
                small_integers(type, {rows, 1}).broadcast({rows, columns})};
      };
      for (const owned& a : layouts(m, k)) {
        for (const owned& b : layouts(k, n)) check(a, b);
      }
    }
  }
}

TEST_CASE("batches of products, also broadcast ones, are right") {
  for (const dtype type : {float32, int64}) {
    check(small_integers(type, {3, 2, 20, 30}),
          small_integers(type, {1, 30, 10}).broadcast({3, 2, 30, 10}));
    check(small_integers(type, {2, 1, 5, 6}).broadcast({2, 4, 5, 6}),
          small_integers(type, {2, 4, 6, 3}));
    check(small_integers(type, {300, 4, 4}), small_integers(type, {300, 4, 4}));
    check(small_integers(type, {90, 1, 40}), small_integers(type, {90, 40, 60}));
    check(small_integers(type, {30, 70, 90}), small_integers(type, {30, 90, 80}));
  }
}

TEST_CASE("big products, divided into blocks, are right") {
  const std::int64_t m = 1300, k = 20, n = 1100;
  check(small_integers(float32, {m, k}), small_integers(float32, {k, n}));
  check(small_integers(float32, {k, m}).transposed(),
        small_integers(float32, {n, 2 * k}).stepped(1, 2).transposed());
  check(small_integers(float64, {1, 900}), small_integers(float64, {900, 800}));
  check(small_integers(float64, {1, 900}), small_integers(float64, {800, 900}).transposed());
  check(small_integers(float32, {900, 800}), small_integers(float32, {800, 1}));
  check(small_integers(int32, {100, 200}), small_integers(int32, {200, 90}));
}

TEST_CASE("products whose sums, rows and columns end anywhere in a tile are right") {
  for (const dtype type : {float32, float64}) {
    for (const auto& [m, k, n] : std::vector<std::array<std::int64_t, 3>>{{1, 300, 64},
                                                                          {1, 513, 128},
                                                                          {1, 261, 75},
                                                                          {1, 700, 1000},
                                                                          {2, 2, 2},
                                                                          {5, 129, 17},
                                                                          {6, 65, 127},
                                                                          {9, 300, 66},
                                                                          {13, 256, 31},
                                                                          {31, 257, 70},
                                                                          {40, 513, 300},
                                                                          {67, 70, 1030},
                                                                          {600, 66, 130},
                                                                          {33, 700, 400},
                                                                          {30, 784, 70},
                                                                          {20, 50, 900}}) {
      check(small_integers(type, {m, k}), small_integers(type, {k, n}));
      check(small_integers(type, {k, m}).transposed(), small_integers(type, {k, n}));
      check(small_integers(type, {m, k}), small_integers(type, {n, k}).transposed());
      check(small_integers(type, {k, 2 * m}).transposed().stepped(0, 2),
            small_integers(type, {n, 2 * k}).stepped(1, 2).transposed());
    }
  }
}

TEST_CASE("an element of a product has the same bits whatever is computed beside it") {
  const auto fractions = [](dtype type, const indices& shape) {
    owned x(type, shape);
    return x.set([](std::int64_t i) { return std::sin(static_cast<double>(i)); });
  };
  const auto copied = [](const owned& x) {
    owned y(x.type, x.shape);
    return y.set([&](std::int64_t i) { return x.at(i); });
  };
  // Only small products are computed in tiles on old CPUs.
  const bool old = best_instruction_set() == instruction_set::baseline;
  const std::int64_t m = 20, k = 300, n = old ? 10 : 300;
  for (const dtype type : {float32, float64}) {
    const owned a = fractions(type, {m, k}), b = fractions(type, {k, n});
    const owned turned_a = copied(a.transposed()).transposed();
    const owned turned_b = copied(b.transposed()).transposed();
    owned whole(type, {m, n});
    run(matmul_kernel(type), {a, b}, whole);
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 17, 20}) {
      for (const std::int64_t columns : {2, 5, 10, 17, 33, 40, 70, 129, 300}) {
        if (columns > n) continue;
        for (const auto& [x, y] : {std::pair{a, b}, {turned_a, b}, {a, turned_b}}) {
          if (rows == 1 && y.strides[1] != 1) continue;  // OpenBLAS has those
          owned left = x, right = y, out(type, {rows, columns});
          left.shape[0] = rows;
          right.shape[1] = columns;
          run(matmul_kernel(type), {left, right}, out);
          std::int64_t others = 0;
          for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < columns; ++j)
              others += out.at(i * columns + j) != whole.at(i * n + j);
          }
          CAPTURE(name(type), rows, columns, x.strides, y.strides);
          REQUIRE(others == 0);
        }
      }
    }
  }
}

TEST_CASE("an empty sum of products is zero, and no rows are no work") {
  check(small_integers(float32, {3, 0}), small_integers(float32, {0, 4}));
  check(small_integers(float32, {2000, 0}), small_integers(float32, {0, 2000}));
  check(small_integers(float32, {0, 3}), small_integers(float32, {3, 4}));
  check(small_integers(float32, {0, 3, 3}), small_integers(float32, {0, 3, 4}));
}

TEST_CASE("NaN and infinity propagate through products with zero") {
  for (const std::int64_t n : {3, 40}) {
    owned a(float32, {n, n}), b(float32, {n, n}), out(float32, {n, n});
    a.set([&](std::int64_t i) { return i == 0 ? INFINITY : 0; });
    b.set([](auto) { return 0; });
    run(matmul_kernel(float32), {a, b}, out);
    REQUIRE(std::isnan(out.at(0)));
    REQUIRE(out.at(n * n - 1) == 0);
  }
}

TEST_CASE("OpenBLAS describes itself") {
  REQUIRE_THAT(blas_description(), Catch::Contains("OpenBLAS"));
}
