// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/distributions.hpp"

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/tensor/goodness_of_fit.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

constexpr std::int64_t draw_count = 200'000;

/// Draws float64 and, rounded, float32.
template <class Draw, class Cdf>
void check_distribution(const Draw& draw, const Cdf& cdf) {
  for (const auto element : {float64, float32}) {
    const auto x = draw(random_options{.dtype = element, .key = random_key(11)});
    REQUIRE(x.dtype() == element);
    CHECK(fits(numbers(x), cdf));
  }
}

std::vector<double> poisson_probabilities(double rate) {
  std::vector<double> out;
  double before = 0;
  const auto last = rate + 12 * std::sqrt(rate) + 20;
  for (double k = 0; k < last; ++k) {
    out.push_back(std::exp(k * std::log(rate) - rate - std::lgamma(k + 1)));
    before += out.back();
  }
  out.push_back(std::max(0., 1 - before));
  return out;
}

}  // namespace

TEST_CASE("distributions by inversion have their distribution functions") {
  test_engine e;
  check_distribution([](const random_options& o) { return exponential({draw_count}, 2, o); },
                     [](double x) { return -std::expm1(-x / 2); });
  check_distribution([](const random_options& o) { return laplace({draw_count}, 1, 3, o); },
                     [](double x) {
                       const double y = (x - 1) / 3;
                       return y < 0 ? std::exp(y) / 2 : 1 - std::exp(-y) / 2;
                     });
  check_distribution([](const random_options& o) { return gumbel({draw_count}, -1, 0.5, o); },
                     [](double x) { return std::exp(-std::exp(-(x + 1) / 0.5)); });
}

TEST_CASE("gamma has its distribution for small and large concentrations") {
  test_engine e;
  const double a = GENERATE(0.05, 0.5, 1., 2.5, 40.);
  CAPTURE(a);
  check_distribution([&](const random_options& o) { return gamma({draw_count}, a, 2, o); },
                     [&](double x) { return gamma_below(a, x / 2); });
}

TEST_CASE("gamma and poisson of huge parameters are normal") {
  test_engine e;
  for (const double a : {1e10, 1e14}) {
    CAPTURE(a);
    const auto below = [&](double x) { return normal_below((x - a) / std::sqrt(a)); };
    const random_options o{.dtype = float64, .key = random_key(5)};
    CHECK(fits(numbers(gamma({draw_count}, a, 1, o)), below));
    CHECK(fits(numbers(poisson({draw_count}, a, o)), below));
  }
}

TEST_CASE("beta has its distribution, for concentrations near 0 too") {
  test_engine e;
  check_distribution([](const random_options& o) { return beta({draw_count}, 2, 3, o); },
                     [](double x) { return x * x * (6 + x * (3 * x - 8)); });
  check_distribution([](const random_options& o) { return beta({draw_count}, 0.5, 0.5, o); },
                     [](double x) { return std::asin(std::sqrt(x)) * 2 / M_PI; });
  for (const double tiny : {1e-4, 1e-320}) {
    const auto x =
        numbers(beta({draw_count}, tiny, 3 * tiny, {.dtype = float64, .key = random_key(2)}));
    double ones = 0;
    for (const double one : x) {
      REQUIRE((one >= 0 && one <= 1));
      ones += one > 0.5 ? 1 : 0;
    }
    CHECK(std::abs(ones - draw_count * 0.25) < 4.9 * std::sqrt(draw_count * 0.1875));
  }
}

TEST_CASE("poisson has its probabilities on both sides of where the methods change") {
  test_engine e;
  const double rate = GENERATE(0.01, 1., 9.99, 10., 14., 15., 40., 1000.);
  CAPTURE(rate);
  const auto x = poisson({draw_count}, rate, {.key = random_key(1)});
  CHECK(x.dtype() == int64);
  CHECK(fits_counts(numbers(x), poisson_probabilities(rate)));
  CHECK(numbers(poisson({3}, 0)) == std::vector<double>{0, 0, 0});
}

TEST_CASE("truncated_normal has its distribution between bounds of any kind") {
  test_engine e;
  const double inf = INFINITY;
  const auto [low, high] = GENERATE_COPY(table<double, double>({{-2, 2},
                                                                {-0.5, 0.5},
                                                                {-inf, 0},
                                                                {0.3, inf},
                                                                {2, 2.1},
                                                                {1, 8},
                                                                {-6, -4},
                                                                {0, 4},
                                                                {-inf, inf}}));
  CAPTURE(low, high);
  // Of the tail, which has no digits cancelled.
  const bool turned = low > 0;
  const double a = turned ? -high : low, b = turned ? -low : high;
  const double before = normal_below(a), share = normal_below(b) - before;
  check_distribution(
      [&](const random_options& o) {
        return truncated_normal({draw_count}, 3 + 2 * low, 3 + 2 * high, 3, 2, o);
      },
      [&](double x) {
        const double y = (x - 3) / 2;
        const double p = (normal_below(turned ? -y : y) - before) / share;
        return turned ? 1 - p : p;
      });
  const auto x = truncated_normal({draw_count}, 3 + 2 * low, 3 + 2 * high, 3, 2);
  CHECK(min(x).item<double>() >= static_cast<float>(3 + 2 * low));
  CHECK(max(x).item<double>() <= static_cast<float>(3 + 2 * high));
}

TEST_CASE("bernoulli is true with its probability, never for 0 and always for 1") {
  test_engine e;
  for (const double p : {0., 1e-6, 0.3, 1.}) {
    CAPTURE(p);
    const auto x = bernoulli({draw_count}, p, {.key = random_key(4)});
    CHECK(x.dtype() == boolean);
    CHECK(fits_counts(numbers(x), {1 - p, p}));
  }
  const tensor p = {-1., 0., 1., 2., NAN};
  CHECK(numbers(bernoulli({2, 5}, p, {.dtype = int32})) ==
        std::vector<double>{0, 0, 1, 1, 0, 0, 0, 1, 1, 0});
}

TEST_CASE("multivariate_normal has the covariances asked for") {
  test_engine e;
  const tensor mean = {1., -2.}, covariance = {{4., 1.5}, {1.5, 1.}};
  const auto x = multivariate_normal({draw_count}, mean, covariance, {.key = random_key(8)});
  CHECK(type_text(x) == "float64[200000,2]");
  const auto check = [&](double a, double b) {  // any sum is normal
    const auto y = numbers(sum(x * tensor{a, b}, 1));
    const double m = a - 2 * b, deviation = std::sqrt(4 * a * a + 3 * a * b + b * b);
    CHECK(fits(y, [&](double z) { return normal_below((z - m) / deviation); }));
  };
  check(1, 0), check(0, 1), check(1, -2), check(-1, 3);
  const auto batch = broadcast_to(covariance, {3, 2, 2});
  CHECK(type_text(multivariate_normal({3}, mean, batch)) == "float64[3,2]");
  CHECK(type_text(multivariate_normal({5, 3}, mean, batch)) == "float64[5,3,2]");
  CHECK(type_text(multivariate_normal({}, mean, covariance, {.dtype = float32})) == "float32[2]");
  CHECK(type_text(multivariate_normal({0, 4}, mean, covariance)) == "float64[0,4,2]");
}

TEST_CASE("parameters may be tensors, which broadcast to the shape and give their dtype") {
  test_engine e;
  const auto scale = tensor({1, 1000}, float64).reshape({2, 1});
  const auto x = exponential({2, draw_count}, scale, {.key = random_key(9)});
  CHECK(type_text(x) == "float64[2,200000]");
  CHECK(fits(numbers(x[1]), [](double y) { return -std::expm1(-y / 1000); }));
  CHECK(type_text(gamma({2, 3}, tensor{1.F, 2.F, 3.F})) == "float32[2,3]");
  CHECK(type_text(beta({2}, tensor{1, 2}, 3)) == "float32[2]");
  CHECK(type_text(poisson({2}, tensor{1., 2.}, {.dtype = float16})) == "float16[2]");
  CHECK(type_text(laplace({2}, 0, 1, {.dtype = bfloat16, .device = cpu(1)})) == "bfloat16[2]");
  const auto k = random_key(3);
  const auto each = numbers(gamma({3}, tensor{0.5, 5., 50.}, 1, {.key = k}));
  CHECK(each[1] == numbers(gamma({3}, 5, 1, {.dtype = float64, .key = k}))[1]);
  const auto bounds = tensor{0., 1., 2.};
  const auto y = numbers(truncated_normal({100, 3}, bounds, bounds + 1, 1, tensor{1., 2., 3.}));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto low = static_cast<double>(i % 3);
    REQUIRE((y[i] >= low && y[i] <= low + 1));
  }
}

TEST_CASE("distributions of no elements and of one element have their shapes") {
  test_engine e;
  const shape none = {0, 3};
  for (const auto& x : {bernoulli(none), exponential(none), laplace(none), gumbel(none),
                        truncated_normal(none), gamma(none, 2), beta(none, 1, 2), poisson(none)}) {
    CHECK(x.shape() == none);
    x.wait();
  }
  for (const auto& x :
       {bernoulli({}), exponential({}), gamma({}, 2), poisson({}, tensor{3.}.reshape({}))})
    CHECK(x.shape() == shape{});
}

TEST_CASE("wrong parameters of distributions are refused at the user's line") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(bernoulli({2}, 1.5)) ==
        "bernoulli: the probability is 1.5, not from 0 to 1");
  CHECK(TROUPE_ERROR_OF(bernoulli({2}, NAN)) ==
        "bernoulli: the probability is nan, not from 0 to 1");
  CHECK(TROUPE_ERROR_OF(exponential({2}, -1)) ==
        "exponential: the scale is -1, not 0 or more and finite");
  CHECK(TROUPE_ERROR_OF(gamma({2}, 1, INFINITY)) ==
        "gamma: the scale is inf, not 0 or more and finite");
  CHECK(TROUPE_ERROR_OF(laplace({2}, NAN)) == "laplace: the mean is nan, not finite");
  CHECK(TROUPE_ERROR_OF(gumbel({2}, -INFINITY)) == "gumbel: the mode is -inf, not finite");
  CHECK(TROUPE_ERROR_OF(truncated_normal({2}, -1, INFINITY, NAN)) ==
        "truncated_normal: the mean is nan, not finite");
  CHECK(TROUPE_ERROR_OF(gamma({2}, 0)) == "gamma: the concentration is 0, not positive and finite");
  CHECK(TROUPE_ERROR_OF(beta({2}, 1, INFINITY)) ==
        "beta: the second concentration is inf, not positive and finite");
  CHECK(TROUPE_ERROR_OF(poisson({2}, -0.5)) == "poisson: the rate is -0.5, not from 0 to 2**62");
  CHECK(TROUPE_ERROR_OF(truncated_normal({2}, 1, 1)) == "truncated_normal: no numbers from 1 to 1");
  CHECK(TROUPE_ERROR_OF(truncated_normal({2}, 0, 1, 0, 0)) ==
        "truncated_normal: the deviation is 0, not positive and finite");
  CHECK(TROUPE_ERROR_OF(laplace({2}, 0, 1, {.dtype = int32})) ==
        "laplace: real numbers have no dtype int32");
  CHECK(TROUPE_ERROR_OF(gumbel({2}, tensor{1., 2., 3.})) ==
        "gumbel: the mode float64[3] does not broadcast to [2]");
  CHECK(TROUPE_ERROR_OF(gamma({2}, tensor{1., 2.}, 1, {.device = cpu(1)})) ==
        "gamma: parameters on cpu:0 for numbers on cpu:1");
  CHECK(TROUPE_ERROR_OF(multivariate_normal({2}, tensor{1., 2.}, tensor{1., 2.})) ==
        "multivariate_normal: no mean [..., n] and covariance [..., n, n]: float64[2] and "
        "float64[2]");
}

TEST_CASE("elements of parameters that are out of range fail the result, without a wait before") {
  test_engine e;
  const auto text = [](const tensor& x) { return error_of([&] { x.wait(); }); };
  CHECK_THAT(text(gamma({2}, tensor{1., -2.})),
             Catch::StartsWith("gamma: -2 is no concentration: those are positive and finite"));
  CHECK_THAT(text(beta({2}, 1, tensor{1., 0.})), Catch::StartsWith("beta: 0 is no concentration"));
  CHECK_THAT(text(poisson({1}, tensor{NAN})), Catch::StartsWith("poisson: nan is no rate"));
  CHECK_THAT(text(truncated_normal({2}, tensor{0., 3.}, 2)),
             Catch::StartsWith("truncated_normal: 3 is no lower bound"));
  CHECK_THAT(text(multivariate_normal({}, tensor{0., 0.}, tensor{{1., 2.}, {2., 1.}})),
             Catch::StartsWith("cholesky: "));
}

TEST_CASE("gradients flow to the parameters of distributions that move other numbers") {
  test_engine e;
  const random_options o{.dtype = float64, .key = random_key(6)};
  const tensor one = {2., 3.};
  const auto slope = [&](const auto& draw) {
    return numbers(grad([&](const tensor& s) { return sum(draw(s)); })(one));
  };
  CHECK(slope([&](const tensor& s) { return exponential({2}, s, o); }) ==
        numbers(exponential({2}, 1, o)));
  CHECK(slope([&](const tensor& s) { return laplace({2}, 0, s, o); }) ==
        numbers(laplace({2}, 0, 1, o)));
  CHECK(slope([&](const tensor& s) { return gumbel({2}, s, 2, o); }) == std::vector<double>{1, 1});
  CHECK(slope([&](const tensor& s) { return gamma({2}, 5, s, o); }) ==
        numbers(gamma({2}, 5, 1, o)));
  CHECK(slope([&](const tensor& s) {
          return multivariate_normal({3}, s, tensor{{1., 0.}, {0., 1.}}, o);
        }) == std::vector<double>{3, 3});
  CHECK_THROWS_WITH(slope([&](const tensor& s) { return gamma({2}, s, 1, o); }),
                    Catch::StartsWith("gamma: no gradient flows to its parameter float64[2]"));
}

TEST_CASE("a compiled function draws new numbers at each call, and a key's always the same") {
  test_engine e;
  const random_options keyed{.key = random_key(1)};
  const auto draws = [&](const tensor& x) {
    return std::vector{gamma({4}, x), poisson({4}, x), gumbel({4}, x), gamma({4}, x, 1, keyed),
                       normal({4}, 0, 1, keyed)};
  };
  const auto p = compile(draws);
  const tensor x = {1.F, 2.F, 3.F, 4.F};
  std::vector<std::vector<tensor>> plain, compiled;
  seed(3);
  for (int i = 0; i < 3; ++i) plain.push_back(draws(x));
  seed(3);
  for (int i = 0; i < 3; ++i) compiled.push_back(p(x));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 5; ++k) {
      CAPTURE(i, k);
      CHECK(numbers(compiled[i][k]) == numbers(plain[i][k]));
      CHECK((numbers(plain[i][k]) == numbers(plain[0][k])) == (i == 0 || k > 2));
    }
  }
}

}  // namespace troupe::testing
