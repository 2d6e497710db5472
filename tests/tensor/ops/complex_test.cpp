// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/complex.hpp"

#include <cmath>
#include <complex>
#include <functional>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jvp.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/comparing.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/dtypes.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/selection.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/print.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using number = std::complex<double>;
using function = std::function<tensor(const tensor&)>;

constexpr number imaginary(0, 1);

std::vector<number> complex_numbers(const tensor& x) { return x.to_vector<number>(); }

/// Returns the greatest distance of two lists of numbers, relative to their size.
double apart(const std::vector<number>& a, const std::vector<number>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    worst = std::max(worst, std::abs(a[k] - b[k]) / std::max(1., std::abs(b[k])));
  return worst;
}

/// Returns numbers in all quadrants, none on an axis.
tensor in_all_quadrants(dtype element = complex128) {
  return from_data(std::vector<number>{{0.5, 0.25}, {-0.75, 0.5}, {-0.25, -1.5}, {1.25, -0.5}}, {4},
                   {.dtype = element});
}

/// Returns the derivatives of a real function by the parts of each number, as in PyTorch: that by
/// the real part, and i times that by the imaginary one.
std::vector<number> differences(const function& f, const tensor& at) {
  const auto x = complex_numbers(at);
  const auto value = [&](std::size_t k, number step) {
    auto moved = x;
    moved[k] += step;
    return f(from_data(moved, at.shape())).item();
  };
  constexpr double h = 1e-6;
  std::vector<number> out;
  for (std::size_t k = 0; k < x.size(); ++k)
    out.emplace_back((value(k, h) - value(k, -h)) / (2 * h),
                     (value(k, h * imaginary) - value(k, -h * imaginary)) / (2 * h));
  return out;
}

/// Makes a real number of everything in an array.
tensor weighed(const tensor& x) {
  const auto weights = arange(1, static_cast<double>(x.size()) + 1, 1, {.dtype = float64});
  return sum(real(flatten(x)) * weights) + sum(imag(flatten(x)) * weights * weights);
}

}  // namespace

TEST_CASE("complex dtypes promote as in NumPy") {
  CHECK(promote(complex64, float32) == complex64);
  CHECK(promote(complex64, float16) == complex64);
  CHECK(promote(complex64, int16) == complex64);
  CHECK(promote(complex64, uint8) == complex64);
  CHECK(promote(complex64, int32) == complex128);
  CHECK(promote(complex64, float64) == complex128);
  CHECK(promote(boolean, complex64) == complex64);
  CHECK(promote(uint64, complex64) == complex128);
  CHECK(isdtype(complex64, "complex floating"));
  CHECK(isdtype(complex64, "numeric"));
  CHECK_FALSE(isdtype(complex64, "real floating"));
  CHECK_FALSE(can_cast(complex64, float64));
  CHECK(finfo(complex64).eps == finfo(float32).eps);
}

TEST_CASE("complex numbers give way to tensors as others do") {
  test_engine e;
  const tensor x({1., 2.}, float32);
  CHECK((x * imaginary).dtype() == complex64);
  CHECK((imaginary + x).dtype() == complex64);
  CHECK((astype(x, float64) * imaginary).dtype() == complex128);
  CHECK((astype(x, int32) * imaginary).dtype() == complex128);
  CHECK((x * imaginary + 1).dtype() == complex64);
  CHECK(complex_numbers(x * imaginary + 1) == std::vector<number>{{1, 1}, {1, 2}});
  CHECK(complex_numbers(3 - x * (2. + imaginary)) == std::vector<number>{{1, -1}, {-1, -2}});
  CHECK(complex_numbers(tensor({number(1, 2), number(3)})) == std::vector<number>{{1, 2}, {3, 0}});
  CHECK(tensor({std::complex<float>(1, 2)}).dtype() == complex64);
  CHECK(full({2}, number(1, -1)).dtype() == complex128);
  CHECK(complex_numbers(full({2}, number(1, -1), {.dtype = complex64})) ==
        std::vector<number>{{1, -1}, {1, -1}});
  CHECK(zeros({}, {.dtype = complex128}).item<number>() == number(0));
}

TEST_CASE("functions of complex numbers are those of the C++ library") {
  test_engine e;
  const auto element = GENERATE(complex64, complex128);
  const double most = element == complex64 ? 1e-5 : 1e-13;
  const auto x = in_all_quadrants(element);
  const auto given = complex_numbers(x);
  const auto check = [&](const tensor& found, const auto& f) {
    std::vector<number> wanted;
    for (const auto z : given) wanted.push_back(f(z));
    CHECK(apart(complex_numbers(found), wanted) < most);
  };
#define TROUPE_CHECK(name, expected)                             \
  {                                                              \
    INFO(#name);                                                 \
    check(name(x), [](number z) -> number { return expected; }); \
  }
  TROUPE_CHECK(negative, -z)
  TROUPE_CHECK(abs, std::abs(z))
  TROUPE_CHECK(angle, std::arg(z))
  TROUPE_CHECK(real, z.real())
  TROUPE_CHECK(imag, z.imag())
  TROUPE_CHECK(conj, std::conj(z))
  TROUPE_CHECK(sign, z / std::abs(z))
  TROUPE_CHECK(square, z * z)
  TROUPE_CHECK(sqrt, std::sqrt(z))
  TROUPE_CHECK(rsqrt, 1. / std::sqrt(z))
  TROUPE_CHECK(reciprocal, 1. / z)
  TROUPE_CHECK(exp, std::exp(z))
  TROUPE_CHECK(exp2, std::pow(number(2), z))
  TROUPE_CHECK(expm1, std::exp(z) - 1.)
  TROUPE_CHECK(log, std::log(z))
  TROUPE_CHECK(log2, std::log(z) / std::log(2.))
  TROUPE_CHECK(log10, std::log10(z))
  TROUPE_CHECK(log1p, std::log(1. + z))
  TROUPE_CHECK(sin, std::sin(z))
  TROUPE_CHECK(cos, std::cos(z))
  TROUPE_CHECK(tan, std::tan(z))
  TROUPE_CHECK(arcsin, std::asin(z))
  TROUPE_CHECK(arccos, std::acos(z))
  TROUPE_CHECK(arctan, std::atan(z))
  TROUPE_CHECK(sinh, std::sinh(z))
  TROUPE_CHECK(cosh, std::cosh(z))
  TROUPE_CHECK(tanh, std::tanh(z))
  TROUPE_CHECK(arcsinh, std::asinh(z))
  TROUPE_CHECK(arccosh, std::acosh(z))
  TROUPE_CHECK(arctanh, std::atanh(z))
  TROUPE_CHECK(sigmoid, 1. / (1. + std::exp(-z)))
#undef TROUPE_CHECK
  const auto y =
      from_data(std::vector<number>{{2, 1}, {-1, 0.5}, {3, 0}, {-2, 0}}, {4}, {.dtype = element});
  const auto others = complex_numbers(y);
  const auto check_pair = [&](const tensor& found, const auto& f) {
    std::vector<number> wanted;
    for (std::size_t k = 0; k < given.size(); ++k) wanted.push_back(f(given[k], others[k]));
    CHECK(apart(complex_numbers(found), wanted) < most);
  };
  check_pair(x + y, std::plus<>());
  check_pair(x - y, std::minus<>());
  check_pair(x * y, std::multiplies<>());
  check_pair(x / y, std::divides<>());
  check_pair(power(x, y), [](number a, number b) { return std::pow(a, b); });
  CHECK(numbers(x == where(tensor({true, false, true, false}), x, y)) ==
        std::vector<double>{1, 0, 1, 0});
  CHECK(numbers(isclose(x, x + imaginary * 1e-9)) == std::vector<double>{1, 1, 1, 1});
  CHECK(numbers(isclose(x, x + 0.1 * imaginary)) == std::vector<double>{0, 0, 0, 0});
  CHECK(numbers(isnan(x / 0.)) == std::vector<double>{0, 0, 0, 0});
  CHECK(numbers(isinf(x / 0.)) == std::vector<double>{1, 1, 1, 1});
}

TEST_CASE("parts of real numbers are the numbers and 0") {
  test_engine e;
  const tensor x({-1., 2.});
  CHECK(numbers(real(x)) == std::vector<double>{-1, 2});
  CHECK(numbers(imag(x)) == std::vector<double>{0, 0});
  CHECK(numbers(conj(x)) == std::vector<double>{-1, 2});
  CHECK(numbers(angle(x))[0] == Approx(3.14159265358979));
  CHECK(numbers(angle(tensor({-1, 1})))[1] == 0);
  CHECK(complex(tensor({1, 2}), 1).dtype() == complex128);
  CHECK(complex(tensor({1.f, 2.f}), 1).dtype() == complex64);
  CHECK(complex(astype(x, float16), x).dtype() == complex128);
}

TEST_CASE("complex arrays are moved, joined and reduced") {
  test_engine e;
  const auto element = GENERATE(complex64, complex128);
  const auto x = reshape(arange(12, {.dtype = float32}), shape{3, 4});
  const auto z = astype(complex(x, -x), element);
  const auto both = [&](const auto& f) {
    const auto found = f(z);
    CHECK(found.dtype() == element);
    CHECK(numbers(real(found)) == numbers(f(x)));
    CHECK(numbers(imag(found)) == numbers(-f(x)));
  };
  both([](const tensor& a) { return copy(a.T()); });
  both([](const tensor& a) { return concatenate({a, a.slice(0, 1, 2)}); });
  both([](const tensor& a) { return take(a, tensor({2, 0}), 1); });
  both([](const tensor& a) { return a[tensor({2, 0, 2})]; });
  both([](const tensor& a) { return flip(a, 1); });
  both([](const tensor& a) { return pad(a, 1); });
  both([](const tensor& a) { return roll(a, 1, 0); });
  both([](const tensor& a) { return sum(a); });
  both([](const tensor& a) { return sum(a, 0, keepdims); });
  both([](const tensor& a) { return mean(a, -1); });
  both([](const tensor& a) { return cumsum(a, 0); });
  both([](const tensor& a) { return where(greater(arange(4), 1), a, 0); });
  both([](const tensor& a) {
    auto b = a;
    b.at(1) = a[0];
    return b;
  });
  const auto numbers_of = complex_numbers(z + 1);
  number product = 1;
  for (const auto one : numbers_of) product *= one;
  CHECK(apart({prod(z + 1).item<number>()}, {product}) < 1e-5);
  CHECK(prod(z + 1, 1).shape() == shape{3});
  CHECK(complex_numbers(prod(zeros({0, 2}, {.dtype = element}), 0)) == std::vector<number>{1, 1});
  CHECK(norm(z).item() == Approx(std::sqrt(2.) * norm(x).item()));
  CHECK(var(z).item() == Approx(2 * var(x).item()));
  CHECK(numbers(any(z, 1)) == std::vector<double>{1, 1, 1});
  CHECK(numbers(all(z, 1)) == std::vector<double>{0, 1, 1});
  const auto a = complex_numbers(z), left = complex_numbers(matmul(z, z.T())),
             mixed = complex_numbers(matmul(x, z.T()));
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      number total = 0, real_total = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        total += a[r * 4 + k] * a[c * 4 + k];
        real_total += a[r * 4 + k].real() * a[c * 4 + k];
      }
      CHECK(apart({left[r * 3 + c], mixed[r * 3 + c]}, {total, real_total}) < 1e-5);
    }
  }
}

TEST_CASE("sums and products of complex numbers are those of their definition in any layout") {
  test_engine e;
  const auto element = GENERATE(complex64, complex128);
  const double most = element == complex64 ? 1e-3 : 1e-10;
  const auto parts = normal({2, 40, 3, 700}, 0, 1, {.dtype = real_of(element)});
  const auto z = complex(parts[0], parts[1]);
  const auto near = [&](const tensor& found, const tensor& re, const tensor& im) {
    CHECK(found.dtype() == element);
    CHECK(apart(complex_numbers(found), complex_numbers(complex(re, im))) < most);
  };
  for (const auto& x : {z, z.T(), flip(z, {0, 2}), z.slice(2, {}, {}, 3),
                        broadcast_to(z.slice(2, 0, 1), z.shape())}) {
    for (const auto& over : {axes(), axes(0), axes(1), axes(2), axes({0, 2}), axes({0, 1})}) {
      near(sum(x, over), sum(real(x), over), sum(imag(x), over));
      near(mean(x, over, keepdims), mean(real(x), over, keepdims), mean(imag(x), over, keepdims));
    }
    const auto angles = angle(x);
    const auto turned = x / abs(x);
    for (const int axis : {0, 1, 2}) {
      const auto wanted = sum(angles, axis);
      near(prod(turned, axis), cos(wanted), sin(wanted));
      const auto steps = cumsum(angles, axis);
      near(cumprod(turned, axis), cos(steps), sin(steps));
      near(cumsum(x, axis), cumsum(real(x), axis), cumsum(imag(x), axis));
    }
  }
  CHECK(complex_numbers(sum(zeros({0, 2}, {.dtype = element}), 0)) == std::vector<number>{0, 0});
  CHECK(sum(zeros({0, 2}, {.dtype = element}), 1).shape() == shape{0});
  CHECK(std::isnan(real(mean(zeros({0}, {.dtype = element}))).item()));
  CHECK_THROWS_WITH(cummax(z, 0), Catch::Matchers::Contains("cummax: not possible for complex"));
}

TEST_CASE("products of complex matrices are those of their parts") {
  test_engine e;
  const auto element = GENERATE(complex64, complex128);
  const double most = element == complex64 ? 1e-4 : 1e-12;
  const auto make = [&](const shape& dims) {
    return complex(normal(dims, 0, 1, {.dtype = real_of(element)}),
                   normal(dims, 0, 1, {.dtype = real_of(element)}));
  };
  const auto check = [&](const tensor& a, const tensor& b) {
    const auto found = matmul(a, b);
    CHECK(found.dtype() == element);
    const auto re = matmul(real(a), real(b)) - matmul(imag(a), imag(b));
    const auto im = matmul(real(a), imag(b)) + matmul(imag(a), real(b));
    CHECK(found.shape() == re.shape());
    CHECK(numbers(max(abs(found - complex(re, im)))) < std::vector<double>{most});
  };
  for (const std::int64_t m : {1, 3, 40, 600}) {
    for (const std::int64_t n : {1, 5, 70}) {
      for (const std::int64_t k : {1, 4, 90}) {
        check(make({m, k}), make({k, n}));
        check(make({k, m}).T(), make({n, k}).T());
        check(make({m, 2 * k}).slice(1, {}, {}, 2), flip(make({k, n})));
      }
    }
  }
  check(make({5, 1, 3, 4}), make({2, 4, 6}));
  check(make({30}), make({30}));
  check(make({30}), make({30, 50}));
  check(make({2, 30, 40}), make({40}));
  CHECK(complex_numbers(matmul(make({1, 0}), make({0, 2}))) == std::vector<number>{0, 0});
}

TEST_CASE("complex numbers are added and multiplied at positions") {
  test_engine e;
  const auto element = GENERATE(complex64, complex128);
  const auto x = from_data(std::vector<number>{{1, 2}, {-1, 0.5}, {3, 0}}, {3}, {.dtype = element});
  const tensor at({2, 0, 2});
  CHECK(complex_numbers(x.at(at).add(x)) == std::vector<number>{{0, 2.5}, {-1, 0.5}, {7, 2}});
  CHECK(complex_numbers(x.at(at).mul(2. * imaginary)) ==
        std::vector<number>{{-4, 2}, {-1, 0.5}, {-12, 0}});
  CHECK_THROWS_WITH(x.at(at).max(x),
                    Catch::Matchers::Contains("put_maximum: not possible for complex"));
}

TEST_CASE("gradients of complex numbers point uphill") {
  test_engine e;
  const std::vector<std::pair<std::string, function>> all = {
      {"abs", [](const tensor& z) { return sum(abs(z) * arange(1, 5)); }},
      {"square", [](const tensor& z) { return weighed(z * z); }},
      {"conj", [](const tensor& z) { return weighed(conj(z) * z * z); }},
      {"angle", [](const tensor& z) { return weighed(angle(z)); }},
      {"exp", [](const tensor& z) { return weighed(exp(z) / (z + 3)); }},
      {"log", [](const tensor& z) { return weighed(log(z) * (2. + imaginary)); }},
      {"sqrt", [](const tensor& z) { return weighed(sqrt(z) - 1. / z); }},
      {"tanh", [](const tensor& z) { return weighed(tanh(z)); }},
      {"arcsin", [](const tensor& z) { return weighed(arcsin(z)); }},
      {"sign", [](const tensor& z) { return weighed(sign(z)); }},
      {"power", [](const tensor& z) { return weighed(power(z, z + 2)); }},
      {"where", [](const tensor& z) { return weighed(where(real(z) > 0, z * z, z * imaginary)); }},
      {"real", [](const tensor& z) { return weighed(real(z) * z); }},
      {"imag", [](const tensor& z) { return weighed(imag(z) * z); }},
      {"complex", [](const tensor& z) { return weighed(complex(imag(z), abs(z))); }},
      {"sum", [](const tensor& z) { return weighed(sum(z * z) * z); }},
      {"prod", [](const tensor& z) { return weighed(prod(z)); }},
      {"prod of rows",
       [](const tensor& z) {
         return weighed(prod(reshape(z, shape{2, 2}), 1));
       }},
      {"mean", [](const tensor& z) { return weighed(mean(z * z) * z); }},
      {"cumprod", [](const tensor& z) { return weighed(cumprod(z, 0)); }},
      {"at add",
       [](const tensor& z) {
         return weighed(z.at(tensor({1, 1, 3})).add(z[tensor({0, 2, 3})] * z[3]));
       }},
      {"at mul",
       [](const tensor& z) {
         return weighed((z * z).at(tensor({1, 3})).mul(z[tensor({0, 2})]));
       }},
      {"cumsum", [](const tensor& z) { return weighed(cumsum(z * z, 0)); }},
      {"take",
       [](const tensor& z) {
         return weighed(take(z * z, tensor({0, 2, 2})));
       }},
      {"slice", [](const tensor& z) { return weighed((z * z).slice(0, {}, {}, -2)); }},
      {"concatenate",
       [](const tensor& z) {
         return weighed(concatenate({z, z * z}));
       }},
      {"at", [](const tensor& z) { return weighed((z * z).at(1).set(z[3])); }},
      {"matmul",
       [](const tensor& z) {
         const auto m = reshape(z, shape{2, 2});
         return weighed(matmul(m, conj(m).T()) + matmul(real(m), m));
       }},
      {"var", [](const tensor& z) { return var(z * z); }},
      {"norm", [](const tensor& z) { return norm(z * z); }},
  };
  const auto x = in_all_quadrants();
  for (const auto& [name, f] : all) {
    INFO(name);
    const auto found = grad(f)(x);
    CHECK(found.dtype() == complex128);
    CHECK(apart(complex_numbers(found), differences(f, x)) < 1e-6);
    // The tangent in a direction is the real part of the gradient's product with it.
    const auto direction = from_data(std::vector<number>{{1, -1}, {0.5, 2}, {-1, 0.25}, {0, 1}});
    const auto [value, change] = jvp(f, x, direction);
    CHECK(change.item() == Approx(real(sum(conj(found) * direction)).item()));
  }
}

TEST_CASE("gradients of real numbers through complex ones are real") {
  test_engine e;
  const auto f = [](const tensor& t) { return sum(abs(exp(t * imaginary) + t)); };
  const tensor t({0.5, 1.5, -1.});
  const auto found = grad(f)(t);
  CHECK(found.dtype() == float64);
  const auto at = numbers(t), slopes = numbers(found);
  for (std::size_t k = 0; k < at.size(); ++k) {
    const auto value = [&](double s) { return std::abs(std::exp(imaginary * s) + s); };
    CHECK(slopes[k] == Approx((value(at[k] + 1e-6) - value(at[k] - 1e-6)) / 2e-6));
  }
  // Twice.
  const auto slope = grad([&](const tensor& s) { return sum(grad(f)(s)); })(t);
  const auto moved = [&](double by) { return grad(f)(t + by); };
  const auto second = numbers((moved(1e-5) - moved(-1e-5)) / 2e-5);
  for (std::size_t k = 0; k < second.size(); ++k) CHECK(numbers(slope)[k] == Approx(second[k]));
}

TEST_CASE("complex parameters descend") {
  test_engine e;
  const auto wanted = in_all_quadrants();
  tensor z = zeros({4}, {.dtype = complex128});
  for (int step = 0; step < 60; ++step) {
    z.attach_grad();
    {
      const recording on;
      sum(square(abs(z - wanted)) + 0.).backward();
    }
    z = (z - 0.25 * z.grad()).detach();
  }
  CHECK(apart(complex_numbers(z), complex_numbers(wanted)) < 1e-6);
}

TEST_CASE("complex numbers are read, printed and refused") {
  test_engine e;
  const auto z = tensor({number(1, 2), number(-0.5, -3)});
  CHECK(numbers_text(z) == "[ 1. +2.j -0.5-3.j]");
  CHECK(numbers_text(tensor(number(1, -2))) == "1.0-2.0j");
  CHECK(tensor(2.5).item<number>() == number(2.5));
  CHECK(z[0].item<std::complex<float>>() == std::complex<float>(1, 2));
  const auto refused = [](const auto& f, const std::string& text) {
    CHECK_THROWS_WITH(f(), Catch::Matchers::Contains(text));
  };
  refused([&] { z[0].item(); }, "item: complex128[] is not real");
  refused([&] { return z < z; }, "less: not possible for complex128[2] and complex128[2]");
  refused([&] { return maximum(z, 1); }, "maximum: not possible for");
  refused([&] { return max(z); }, "max: complex numbers have no order: complex128[2]");
  refused([&] { return argmax(z); }, "argmax: complex numbers have no order");
  refused([&] { return astype(z, float32); }, "astype: complex128[2] is not real");
  refused([&] { return tensor({1., 2.}) & imaginary; }, "bitwise_and");
  refused([&] { return full({2}, imaginary, {.dtype = float32}); },
          "full: 0+1j does not fit float32");
  refused([&] { return tensor({imaginary}, float32); }, "tensor: 0+1j does not fit float32");
  refused([&] { return grad([](const tensor& x) { return sum(x * x); })(z); },
          "complex128[] is not real, so it takes a seed");
}

TEST_CASE("numbers of a list that its dtype does not hold are refused") {
  test_engine e;
  CHECK_THROWS_WITH(tensor({1, 300}, uint8),
                    Catch::Matchers::Contains("tensor: 300 does not fit uint8"));
  CHECK_THROWS_WITH(tensor({-1}, uint64),
                    Catch::Matchers::Contains("tensor: -1 does not fit uint64"));
  CHECK(numbers(tensor({1.5, 2.5}, int32)) == std::vector<double>{1, 2});
}

}  // namespace troupe::testing
