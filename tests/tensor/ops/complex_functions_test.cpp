// SPDX-License-Identifier: MIT
#include <complex>
#include <limits>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using complex_list = std::vector<std::complex<double>>;

complex_list numbers_of_complex(const tensor& x) { return x.to_vector<std::complex<double>>(); }

bool all_near(const complex_list& a, const complex_list& b, double tolerance) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= tolerance * std::max(1., std::abs(b[i])))) return false;
  }
  return true;
}

const complex_list some_numbers{{1, 2}, {-0.5, 3}, {0, -1}, {700, 1}, {-700, 2}};

}  // namespace

TEST_CASE("lerp of complex numbers is exact at both ends") {
  test_engine e;
  const auto x = from_data(some_numbers, {5}), y = conj(x) * 3.0 + 0.1;
  CHECK(numbers_of_complex(lerp(x, y, 0)) == numbers_of_complex(x));
  CHECK(numbers_of_complex(lerp(x, y, 1.0)) == numbers_of_complex(y));
  const auto w = from_data(complex_list(5, {0.25, -0.5}), {5});
  CHECK(all_near(numbers_of_complex(lerp(x, y, w)), numbers_of_complex(x + w * (y - x)), 1e-13));
  CHECK(type_text(lerp(ones({2}), ones({2}, complex64), 0.5)) == "complex64[2]");
  CHECK(type_text(lerp(ones({2}), ones({2}), ones({2}, complex128))) == "complex128[2]");
  CHECK(TROUPE_ERROR_OF(lerp(x, ones({2}), 0.5)) ==
        "lerp: shapes do not broadcast: complex128[5], float32[2] and 0.5");
  const std::complex<double> z(1, 2);
  CHECK(TROUPE_ERROR_OF(lerp(tensor{}, z, 0.5)) == "lerp: the input names no array yet");
  const tensor_or_scalar all_numbers[] = {1.0, 2.0, z};
  CHECK(TROUPE_ERROR_OF(elementwise(elementwise_op::lerp, all_numbers)) ==
        "lerp: no input is a tensor");
}

TEST_CASE("logcumsumexp of complex numbers is that of their exponentials, without overflow") {
  test_engine e;
  const complex_list in{{1, 2}, {-0.5, 3}, {0, -1}, {0.25, 1}, {-2, 2}, {1, -2}};
  const auto x = from_data(in, {2, 3});
  const auto sums = numbers_of_complex(exp(logcumsumexp(x, 1)));
  CHECK(all_near(sums, numbers_of_complex(cumsum(exp(x), 1)), 1e-13));
  CHECK(all_near(numbers_of_complex(exp(logcumsumexp(x, 0))), numbers_of_complex(cumsum(exp(x), 0)),
                 1e-13));
  CHECK(all_near(numbers_of_complex(exp(logcumsumexp(x))), numbers_of_complex(cumsum(exp(x))),
                 1e-13));
  const auto far = from_data(complex_list{{1000, 0.5}, {1000, 0.5}, {-1000, 1}}, {3});
  const auto large = numbers_of_complex(logcumsumexp(far));
  CHECK(all_near(large, {{1000, 0.5}, {1000 + std::log(2.), 0.5}, {1000 + std::log(2.), 0.5}},
                 1e-12));
  const auto none =
      complex(full({3}, -std::numeric_limits<double>::infinity(), float64), zeros({3}, float64));
  CHECK(numbers_of_complex(logcumsumexp(none))[2].real() ==
        -std::numeric_limits<double>::infinity());
  CHECK(type_text(logcumsumexp(zeros({2, 0}, complex64), 1)) == "complex64[2,0]");
  CHECK(type_text(logcumsumexp(zeros({4}, complex64))) == "complex64[4]");
  CHECK(TROUPE_ERROR_OF(logcumsumexp(x, 2)) ==
        "logcumsumexp: axis 2 is out of range for complex128[2,3]");
}

TEST_CASE("logcumsumexp of complex numbers is NaN from the first NaN on") {
  test_engine e;
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  for (const auto second : {-infinity, infinity, 1., 1000.}) {
    CAPTURE(second);
    const auto z = complex(tensor{0., NAN, second, 2.}, zeros({4}, float64));
    const auto y = numbers_of_complex(logcumsumexp(z));
    CHECK(y[0] == std::complex<double>(0));
    for (std::size_t i = 1; i < 4; ++i) CHECK(std::isnan(y[i].real()));
    const auto reversed = numbers_of_complex(logcumsumexp(flip(z, 0)));
    CHECK(!std::isnan(reversed[1].real()));
    CHECK(std::isnan(reversed[2].real()));
    CHECK(std::isnan(reversed[3].real()));
  }
}

TEST_CASE("logarithms of 0 and powers of infinity have the angle 0") {
  test_engine e;
  for (const auto f : {log2, log10}) {
    const auto y = f(complex(tensor{0.}, tensor{0.}), caller::current());
    CHECK(numbers(real(y))[0] == -INFINITY);
    CHECK(numbers(imag(y))[0] == 0);
  }
  CHECK(numbers(imag(exp2(complex(tensor{INFINITY}, tensor{0.}))))[0] == 0);
}

TEST_CASE("arccosh of complex numbers has its gradient on both sides") {
  test_engine e;
  const auto f = [](const tensor& v) {
    const auto y = arccosh(complex(v[0], v[1]));
    return stack({real(y), imag(y)});
  };
  check_gradient(f, tensor{{-1.3, 1.3, -0.2, 0.4}, {0.5, 0.5, -0.7, -0.1}});
}

TEST_CASE("lerp and logcumsumexp of complex numbers have gradients to the second order") {
  test_engine e;
  const auto x = distinct({2, 6});
  const auto as_pairs = [](const tensor& v) { return complex(v[0], v[1]); };
  const auto parts = [](const tensor& z) { return stack({real(z), imag(z)}); };
  const auto turned = [&](const tensor& v) {
    const auto z = as_pairs(v);
    return parts(lerp(z, z * z, conj(z)));
  };
  const auto added = [&](const tensor& v) { return parts(logcumsumexp(as_pairs(v) * 0.5)); };
  const auto twice = [](const auto& f) {
    return
        [&f](const tensor& v) { return grad([&](const tensor& y) { return sum(sin(f(y))); })(v); };
  };
  check_gradient(turned, x);
  check_gradient(twice(turned), x);
  check_gradient(added, x);
  check_gradient(twice(added), x);
}

TEST_CASE("a complex result does not depend on where its element lies") {
  test_engine e;
  constexpr std::int64_t size = 67;
  for (const auto element : {complex64, complex128}) {
    const auto part = real_of(element);
    const shape dims{size};
    const auto random = [&] { return complex(normal(dims, part), normal(dims, part)); };
    const tensor inputs[] = {random(), random(), random()};
    for (int row = 0; row < elementwise_op_count; ++row) {
      const auto op = static_cast<elementwise_op>(row);
      if (!types_of(op, element)) continue;
      CAPTURE(info(op).name, name(element));
      const auto f = [&](std::int64_t first, std::int64_t last) {
        const auto part_of = [&](const tensor& x) { return x.slice(0, first, last); };
        const tensor x = part_of(inputs[0]), y = part_of(inputs[1]), z = part_of(inputs[2]);
        const tensor_or_scalar all[] = {x, y, z};
        return elementwise(op, {all, static_cast<std::size_t>(info(op).arity)});
      };
      const auto whole = f(0, size);
      for (std::int64_t i = 0; i + 3 <= size; ++i)
        REQUIRE(same_bits(whole.slice(0, i, i + 3), f(i, i + 3)));
    }
  }
}

TEST_CASE("products within a product of complex numbers are rounded one by one") {
  test_engine e;
  const auto a = normal({1000}), b = normal({1000}), c = normal({1000}), d = normal({1000});
  const auto product = complex(a, b) * complex(c, d);
  CHECK(same_bits(real(product), a * c - b * d));
  CHECK(same_bits(imag(product), a * d + b * c));
}

}  // namespace troupe::testing
