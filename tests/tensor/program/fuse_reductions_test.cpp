// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <limits>

#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tests/tensor/program/told_of.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

/// Reductions of all elements that are computed on the way.

namespace troupe::testing {

namespace {

using full_reduction = tensor (*)(const tensor&);

constexpr full_reduction full_reductions[] = {
    [](const tensor& x) { return sum(x); },       [](const tensor& x) { return prod(x); },
    [](const tensor& x) { return mean(x); },      [](const tensor& x) { return max(x); },
    [](const tensor& x) { return min(x); },       [](const tensor& x) { return var(x); },
    [](const tensor& x) { return logsumexp(x); }, [](const tensor& x) { return norm(x); },
    [](const tensor& x) { return argmax(x); },    [](const tensor& x) { return argmin(x); },
    [](const tensor& x) { return any(x > 1); },   [](const tensor& x) { return all(x > -4); }};

}  // namespace

TEST_CASE("reductions of all that is computed are those of the library, to the bit") {
  test_engine e;
  static constexpr std::int64_t sizes[][2] = {{1, 4096},    {4099, 1},   {300, 17},   {90, 1000},
                                              {16, 4096},   {3, 21850},  {131, 1001}, {5, 40'000},
                                              {700, 1'003}, {2, 200'000}};
  for (const char* const jit : {"1", "0"}) {
    ::setenv("TROUPE_JIT", jit, 1);
    for (const auto& [rows, columns] : sizes) {
      for (const auto type : {float32, float64, int32}) {
        const auto x = astype(normal({rows, columns}, 0, 3), type);
        const auto y = astype(normal({columns}, 0, 3), type);
        for (std::size_t k = 0; k < std::size(full_reductions); ++k) {
          CAPTURE(jit, rows, columns, type, k);
          const auto reduce = full_reductions[k];
          const auto text =
              told_of([&](const tensor& a,
                          const tensor& b) { return std::vector<tensor>{reduce(a * 2 - b)}; },
                      x, y);
          CHECK_THAT(text, Catch::Contains("fused multiply, subtract, "));
        }
      }
    }
  }
  ::unsetenv("TROUPE_JIT");
}

TEST_CASE("a loss and its gradient are one task and a number") {
  test_engine e;
  const auto x = normal({300, 1000}), y = normal({300, 1000});
  const auto loss = [](const tensor& a, const tensor& b) {
    return std::vector<tensor>{mean(square(a - b))};
  };
  CHECK_THAT(told_of(loss, x, y),
             Catch::Contains("fused subtract, square, mean (") && Catch::Contains("  1 task\n"));
}

TEST_CASE("what is reduced may be needed as well, and reduced several times") {
  test_engine e;
  const auto x = normal({70, 1003}), y = normal({70, 1003});
  const auto f = [](const tensor& a, const tensor& b) {
    const auto c = a * b, d = abs(c);
    return std::vector<tensor>{c, sum(c), max(d.flatten()), sum(a * a), c + d};
  };
  CHECK_THAT(told_of(f, x, y), Catch::Contains("  1 task\n"));
}

TEST_CASE("what needs the result of a reduction is not joined with it") {
  test_engine e;
  const auto x = normal({70, 1003});
  const auto f = [](const tensor& a) {
    const auto b = a * 2;
    return std::vector<tensor>{exp(b - max(b)) * b};
  };
  CHECK_THAT(told_of(f, x), Catch::Contains("fused multiply, max (") &&
                                Catch::Contains("fused subtract, exp, multiply ("));
}

TEST_CASE("views of what is computed are reduced as they are, unless all is read in its order") {
  test_engine e;
  const auto x = normal({90, 100});
  const auto f = [](const tensor& a) {
    const auto b = a * 2 - 1;
    return std::vector<tensor>{sum(b.T()), sum(b.slice(0, 1, 80)), sum(b.reshape({100, 90}))};
  };
  told_of(f, x);
}

TEST_CASE("large values do not wait for others that are reduced") {
  test_engine e;
  const auto x = normal({100, 100}), y = normal({100, 100});
  const auto f = [](const tensor& a, const tensor& b) {
    const auto first = sum(square(cumsum(a, 0)) * 2);
    return std::vector<tensor>{first, sum(square(cumsum(b, 0)) * 2)};
  };
  CHECK_THAT(told_of(f, x, y), !Catch::Contains("sum, square"));
}

TEST_CASE("reductions of few chunks are joined with little work only") {
  test_engine e;
  const auto x = normal({130'000});
  const auto much = [](const tensor& a) {
    return std::vector<tensor>{sum(exp(sin(tanh(a) * 2) * 2))};
  };
  CHECK_THAT(told_of(much, x), !Catch::Contains(", sum ("));
  const auto little = [](const tensor& a) { return std::vector<tensor>{sum(a * 2 - 1)}; };
  CHECK_THAT(told_of(little, x), Catch::Contains(", sum ("));
}

TEST_CASE("NaN and infinity are reduced on the way as by the library") {
  test_engine e;
  const auto x = normal({90, 1000});
  const auto i = std::numeric_limits<float>::infinity();
  for (const float special : {std::nanf(""), i, -i}) {
    for (const auto reduce : full_reductions)
      told_of(
          [&](const tensor& a) { return std::vector<tensor>{reduce(where(a > 2, special, a))}; },
          x);
  }
}

}  // namespace troupe::testing
