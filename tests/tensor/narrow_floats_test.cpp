// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/linalg/norms.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tensor/print.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Returns the number of a binary16, as defined by the standard.
double half_of(int bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0    ? std::ldexp(fraction, -24)
                      : exponent == 31 ? (fraction ? std::nan("") : INFINITY)
                                       : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -size : size;
}

template <class T>
std::vector<T> all_patterns() {
  std::vector<T> out(0x10000);
  for (int i = 0; i < 0x10000; ++i)
    out[static_cast<std::size_t>(i)].bits = static_cast<std::uint16_t>(i);
  return out;
}

/// Rounds x to `bits` significant bits, ties to even; becomes infinite beyond `largest`.
double rounded(double x, int bits, int least_exponent, double largest) {
  if (x == 0 || !std::isfinite(x)) return x;
  const int exponent = std::max(std::ilogb(x), least_exponent);
  const double step = std::ldexp(1, exponent - bits + 1);
  const double y = std::nearbyint(x / step) * step;
  return std::abs(y) > largest ? std::copysign(INFINITY, x) : y;
}

double as_half(double x) { return rounded(x, 11, -14, 65504); }
double as_brain(double x) { return rounded(x, 8, -126, 0x1.fep127); }

/// Returns numbers between two narrow ones, on them, in the middle, and slightly beside it.
std::vector<double> hard_numbers() {
  std::vector<double> out = {0,       -0.0,   INFINITY,   -INFINITY,  65504,   65519.999,
                             65520,   1e300,  -1e300,     0x1p-24,    0x1p-25, 0x1.000001p-25,
                             0x1p-26, 1e-300, 0x1.fep127, 0x1.ffp127, 0x1p-133};
  for (int e = -30; e < 20; ++e) {
    for (const double tiny : {0., 0x1p-30, 0x1p-50, -0x1p-30, -0x1p-50}) {
      for (const double at :
           {1., 1 + 0x1p-11, 1 + 0x1p-10, 1 + 0x3p-11, 1 + 0x1p-8, 1 + 0x3p-8, 2 - 0x1p-11}) {
        for (const double sign : {1., -1.}) out.push_back(sign * std::ldexp(at + tiny, e));
      }
    }
  }
  return out;
}

tensor numbers_for(const tensor_type& t, std::size_t seed) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < t.dims.size(); ++i)
    out.push_back(static_cast<double>((i * 5 + static_cast<std::int64_t>(seed) * 3) % 7 - 3));
  return from_data(out, t.dims, {.dtype = t.element});
}

}  // namespace

TEST_CASE("every float16 and bfloat16 has the value of its bits, and converts back unchanged") {
  test_engine e;
  const auto halves = from_data(all_patterns<float16_t>(), {0x10000});
  const auto found = halves.astype(float64).to_vector<double>();
  for (int i = 0; i < 0x10000; ++i) {
    const auto wanted = half_of(i), got = found[static_cast<std::size_t>(i)];
    if (std::isnan(wanted)) REQUIRE(std::isnan(got));
    else REQUIRE((got == wanted && std::signbit(got) == std::signbit(wanted)));
  }
  for (const auto element : {float16, bfloat16}) {
    const auto x = element == float16 ? halves : from_data(all_patterns<bfloat16_t>(), {0x10000});
    const auto wide = x.astype(float32);
    for (const auto through : {float32, float64}) {
      const auto back = wide.astype(through).astype(element).astype(float32).to_vector<float>();
      const auto first = wide.to_vector<float>();
      for (std::size_t i = 0; i < back.size(); ++i)
        REQUIRE((back[i] == first[i] || (std::isnan(back[i]) && std::isnan(first[i]))));
    }
  }
}

TEST_CASE("conversions between float16 and float32 have the bits of one number at a time") {
  test_engine e;
  const auto halves = all_patterns<float16_t>();
  std::vector<float> exact;
  for (const auto half : halves) exact.push_back(half);
  const auto wide = from_data(halves, {0x10000}).astype(float32).to_vector<float>();
  for (std::size_t i = 0; i < wide.size(); ++i)
    REQUIRE(std::bit_cast<std::uint32_t>(wide[i]) == std::bit_cast<std::uint32_t>(exact[i]));

  // All halves, what lies between two of them, their neighbours, and what is too large or too
  // small.
  std::vector<float> all{1e38F, -1e38F, 1e-30F, -1e-42F, std::bit_cast<float>(0x7f800001U)};
  for (const auto x : exact) {
    const float nearest[] = {x, x + x * 0x1p-11F, x + 0x1p-25F};
    for (const auto y : nearest) {
      for (const int step : {-1, 0, 1}) {
        const auto bits = std::bit_cast<std::uint32_t>(y) + static_cast<std::uint32_t>(step);
        all.push_back(std::bit_cast<float>(bits));
      }
    }
  }
  const auto rounded = from_data(all).astype(float16).to_vector<float16_t>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i, all[i]);
    REQUIRE(rounded[i].bits == float16_t(all[i]).bits);
  }
}

TEST_CASE("numbers are rounded to narrow floats once: to the nearest, ties to even") {
  test_engine e;
  const auto all = hard_numbers();
  const auto x = from_data(all);
  const auto halves = numbers(x.astype(float16)), brains = numbers(x.astype(bfloat16));
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i]);
    REQUIRE(halves[i] == as_half(all[i]));
    REQUIRE(brains[i] == as_brain(all[i]));
  }
  const std::vector<std::int64_t> whole = {
      0, 2049, 4098, -2051, 65519, 65520, (std::int64_t{1} << 40) + 1, INT64_MAX, INT64_MIN};
  const auto from_whole = numbers(from_data(whole).astype(bfloat16));
  for (std::size_t i = 0; i < whole.size(); ++i)
    CHECK(from_whole[i] == as_brain(static_cast<double>(whole[i])));
  CHECK(numbers(from_data(whole).astype(float16)).at(5) == INFINITY);
  CHECK(numbers(tensor({3, -7, 0}).astype(float16).astype(int32)) == std::vector<double>{3, -7, 0});
  CHECK(numbers(tensor({0.5, 0.0}).astype(bfloat16).astype(boolean)) == std::vector<double>{1, 0});
}

TEST_CASE("narrow floats promote to wider ones, and float16 with bfloat16 to float32") {
  CHECK(promote(float16, float16) == float16);
  CHECK(promote(float16, bfloat16) == float32);
  CHECK(promote(bfloat16, float32) == float32);
  CHECK(promote(float64, float16) == float64);
  CHECK(promote(boolean, bfloat16) == bfloat16);
  CHECK(promote(int32, float16) == float64);
  for (const auto a : all_dtypes) {
    for (const auto b : all_dtypes) CHECK(promote(a, b) == promote(b, a));
  }
  test_engine e;
  CHECK((ones({2}, float16) + 1).dtype() == float16);
  CHECK((2.5 * ones({2}, bfloat16)).dtype() == bfloat16);
  CHECK((ones({2}, float16) + ones({2}, bfloat16)).dtype() == float32);
  CHECK(less(ones({2}, float16), 2).dtype() == boolean);
  CHECK(mean(ones({2}, bfloat16)).dtype() == bfloat16);
}

TEST_CASE("every operation on narrow floats computes in float32 and rounds the result") {
  test_engine e;
  const auto element = GENERATE(float16, bfloat16);
  for (const auto* op : all_operations()) {
    if (op->name == "nextafter") continue;  // refuses them
    int number = 0;
    for (const auto& s : op->samples()) {
      CAPTURE(op->name, number++, name(element));
      std::vector<tensor> narrow, wide;
      bool any = false;
      for (const auto& t : s.inputs) {
        auto x = numbers_for(t, narrow.size());
        any = any || t.element == float32;
        wide.push_back(x);
        narrow.push_back(t.element == float32 ? x.astype(element) : x);
      }
      if (!any) continue;
      const auto got = s.call(narrow), expected = s.call(wide);
      REQUIRE(got.shape() == expected.shape());
      if (expected.dtype() == float32) REQUIRE((got.dtype() == element || got.dtype() == float32));
      else REQUIRE(got.dtype() == expected.dtype());
      const auto a = numbers(got),
                 b = numbers(got.dtype() == element ? expected.astype(element) : expected);
      const double rounding = element == float16 ? 0x1p-10 : 0x1p-7;
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (near(a[i], b[i], 2 * rounding, 0.1)) continue;
        CAPTURE(i, a[i], b[i]);
        FAIL("differs");
      }
    }
  }
}

TEST_CASE("sums and products of narrow floats are added up in float32") {
  test_engine e;
  // The nearest number; bfloat16 sums would stop at 256.
  CHECK(sum(ones({10'000}, bfloat16)).item<float>() == 9984);
  CHECK(mean(full({10'000}, 0.5, float16)).item<float>() == 0.5F);
  CHECK(matmul(ones({1, 4096}, float16), ones({4096, 1}, float16)).item<float>() == 4096);
}

TEST_CASE("views of narrow floats are used in place") {
  test_engine e;
  const auto x = (arange(24) % 4).reshape({2, 3, 4});
  for (const auto element : {float16, bfloat16}) {
    const auto narrow = x.astype(element), wide = x.astype(float32);
    const auto check = [&](auto f) { CHECK(numbers(f(narrow)) == numbers(f(wide))); };
    check([](const tensor& t) { return sum(t.T(), 0); });
    check([](const tensor& t) { return sum(t(every, 1), 1); });
    check([](const tensor& t) { return max(broadcast_to(t(0, 1), {5, 4}), 0); });
    check([](const tensor& t) { return matmul(t(0), t(1).T()); });
    check([](const tensor& t) { return t.T() + t.T() * 2; });
    check([](const tensor& t) {
      return sum(t(every, every, range{.step = -2}) + t(0, 0, range{0, 2}));
    });
  }
}

TEST_CASE("gradients through narrow floats have their dtype") {
  test_engine e;
  const auto x = tensor({1., 2., 3.}).astype(float16);
  const auto slope = grad([](const tensor& t) { return sum(exp(t) * t); })(x);
  CHECK(slope.dtype() == float16);
  const auto found = numbers(slope);
  for (std::size_t i = 0; i < 3; ++i) {
    const double at = static_cast<double>(i) + 1;
    CHECK(found[i] == Approx(std::exp(at) * (at + 1)).epsilon(0.003));
  }
  const auto weights = grad([&](const tensor& w) {
    return mean(matmul(x.reshape({1, 3}), w));
  })(ones({3, 2}, float16));
  CHECK(numbers(weights) == std::vector<double>{0.5, 0.5, 1, 1, 1.5, 1.5});
}

TEST_CASE("random narrow floats stay within their bounds") {
  test_engine e;
  for (const auto element : {float16, bfloat16}) {
    for (const auto& [low, high] :
         {std::pair(0., 1.), {100., 101.}, {0.1, 0.3}, {-1., 0.}, {-0.3, -0.1}, {-1e-7, 1e-7}}) {
      CAPTURE(name(element), low, high);
      const auto x = uniform({20'000}, low, high, element);
      CHECK(x.dtype() == element);
      CHECK(min(x).item<double>() >= low);
      CHECK(max(x).item<double>() < high);
    }
  }
  CHECK(uniform({3}, 5, 5, float16).to_vector<float>() == std::vector<float>{5, 5, 5});
  CHECK(normal({3}, 0, 1, bfloat16).dtype() == bfloat16);
}

TEST_CASE("narrow floats are printed with the fewest digits that tell them apart") {
  test_engine e;
  CHECK(to_string(tensor({0.1, 2.5, -3.0}).astype(float16)) ==
        "[ 0.1  2.5 -3. ]  float16[3] on cpu:0");
  CHECK(to_string(tensor({0.1, 3.140625}).astype(bfloat16)) == "[0.1  3.14]  bfloat16[2] on cpu:0");
  CHECK(to_string(full({}, 65504, float16)) == "65500.0  float16[] on cpu:0");
  CHECK(to_string(full({}, 1e6, float16)) == "inf  float16[] on cpu:0");
  CHECK(to_string(full({}, 1e38, bfloat16)) == "1e+38  bfloat16[] on cpu:0");
}

TEST_CASE("narrow floats are read and written as C++ elements") {
  test_engine e;
  const std::vector<float16_t> some = {float16_t(1.5F), float16_t(-2)};
  const auto x = from_data(some, {2});
  CHECK(x.dtype() == float16);
  CHECK(float{x.to_vector<float16_t>()[1]} == -2);
  CHECK(x.to_vector<double>() == std::vector<double>{1.5, -2});
  CHECK(float{full({}, 0.75, bfloat16).item<bfloat16_t>()} == 0.75F);
  CHECK(numbers(tensor({{1., 2.}, {3., 4.}}, float16)) == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("numbers combined with narrow floats are not rounded to them") {
  test_engine e;
  const auto x = full({3}, 1, float16);
  CHECK(numbers(x / 65536) == std::vector<double>(3, 0x1p-16));
  CHECK(numbers(x * 1e6 / 1e6)[0] == INFINITY);  // intermediate results are rounded
  CHECK(numbers(less(x, 1.0001)) == std::vector<double>(3, 1));
  CHECK(full({}, 1 + 0x1p-11 + 0x1p-30, float16).item<double>() == 1 + 0x1p-10);
}

TEST_CASE("gradients of means, variances and extremes of many narrow floats are not lost") {
  test_engine e;
  const auto x = ones({256, 256}, float16);
  const auto slope = grad([](const tensor& t) { return mean(t); })(x);
  CHECK(slope(0, 0).item<double>() == 0x1p-16);
  const auto shared = grad([](const tensor& t) { return max(t) * 1024; })(x);
  CHECK(shared(3, 5).item<double>() == 0x1p-6);
  const auto two = (arange(1000) % 2 + 100).astype(float16);
  const auto spread = grad([](const tensor& t) { return var(t); })(two);
  CHECK(spread(0).item<double>() == Approx(-0.001).epsilon(0.01));
}

TEST_CASE("norms and deviations of narrow floats do not overflow on the way") {
  test_engine e;
  CHECK(norm(full({4}, 200, float16)).item<double>() == 400);
  CHECK(norm(full({4}, 1e-4, float16)).item<double>() == Approx(2e-4).epsilon(0.001));
  CHECK(stddev(tensor({300., -300.}).astype(float16)).item<double>() == 300);
  CHECK(norm(ones({2}, bfloat16)).dtype() == bfloat16);
  const auto cubes = linalg::vector_norm(full({2}, 300, float16), {}, false, 3);
  CHECK(cubes.item() == Approx(300 * std::cbrt(2.)).epsilon(0.001));
  CHECK(cubes.dtype() == float16);
}

TEST_CASE("an error in a float32 computation names the original dtype") {
  test_engine e;
  const auto lost = index_add(ones({2}, float16), tensor({0, 9}), 0, 3);
  CHECK_THROWS_WITH(lost.wait(), Catch::Contains("inputs float16[2], int64[2]"));
}
