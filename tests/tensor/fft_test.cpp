// SPDX-License-Identifier: MIT
#include "troupe/tensor/fft/fft.hpp"

#include <complex>
#include <functional>
#include <numbers>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jvp.hpp"
#include "troupe/tensor/batching/vmap.hpp"
#include "troupe/tensor/ops/comparing.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using number = std::complex<double>;

tensor drawn(const shape& dims, dtype element) {
  const auto re = normal(dims, 0, 1, {.dtype = float64});
  const auto im = normal(dims, 0, 1, {.dtype = float64});
  return is_complex(element) ? astype(complex(re, im), element) : astype(re, element);
}

/// Returns the transform by its definition.
std::vector<number> summed(const std::vector<number>& x, bool inverse) {
  const auto n = x.size();
  std::vector<number> out(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      const double turn = 2 * std::numbers::pi * static_cast<double>(j * k % n);
      out[k] += x[j] * std::polar(1., (inverse ? turn : -turn) / static_cast<double>(n));
    }
    if (inverse) out[k] /= static_cast<double>(n);
  }
  return out;
}

double distance(const tensor& found, const std::vector<number>& wanted) {
  const auto all = found.to_vector<number>();
  REQUIRE(all.size() == wanted.size());
  double apart = 0, size = 1e-300;
  for (std::size_t k = 0; k < all.size(); ++k) {
    apart = std::max(apart, std::abs(all[k] - wanted[k]));
    size = std::max(size, std::abs(wanted[k]));
  }
  return apart / size;
}

double distance(const tensor& found, const tensor& wanted) {
  CHECK(found.shape() == wanted.shape());
  return distance(found, wanted.to_vector<number>());
}

}  // namespace

TEST_CASE("transforms of every length are sums of turns") {
  test_engine e;
  const auto element = GENERATE(complex64, complex128);
  const double most = element == complex64 ? 2e-6 : 2e-14;
  for (const std::int64_t n : {1,  2,  3,  4,  5,  6,  7,   8,   9,   10,  11,  12,  13, 15,
                               16, 17, 31, 32, 37, 61, 100, 121, 127, 128, 251, 360, 500}) {
    INFO(n);
    const auto x = drawn({n}, element);
    const auto given = x.to_vector<number>();
    CHECK(distance(fft::fft(x), summed(given, false)) < most);
    CHECK(distance(fft::ifft(x), summed(given, true)) < most);
    const auto re = real(x);
    const auto whole = summed(re.to_vector<number>(), false);
    const std::vector<number> half(whole.begin(), whole.begin() + n / 2 + 1);
    CHECK(fft::rfft(re).dtype() == element);
    CHECK(distance(fft::rfft(re), half) < most);
    CHECK(fft::irfft(fft::rfft(re), n).dtype() == re.dtype());
    CHECK(distance(fft::irfft(fft::rfft(re), n), re) < most);
    CHECK(distance(fft::ihfft(re), conj(fft::rfft(re)) / static_cast<double>(n)) < most);
    CHECK(distance(fft::hfft(fft::ihfft(re), n), re) < most);
  }
}

TEST_CASE("long transforms come back") {
  test_engine e;
  for (const std::int64_t n : {4096, 65537, 100000}) {
    const auto x = drawn({2, n}, complex128);
    CHECK(distance(fft::ifft(fft::fft(x)), x) < 1e-13);
    CHECK(distance(fft::irfft(fft::rfft(real(x)), n), real(x)) < 1e-13);
    const auto narrow = astype(x, complex64);
    CHECK(distance(fft::fft(narrow), fft::fft(x)) < 5e-6);
  }
}

TEST_CASE("some results of long transforms are the sums that define them") {
  test_engine e;
  const auto element = GENERATE(complex64, complex128);
  const double most = element == complex64 ? 3e-6 : 3e-15;
  // One or two rounds of 32 to 256 rows, with the last block of lines short or not.
  for (const std::int64_t n : {16383, 16384, 20000, 24576, 30030, 65536, 16411}) {
    INFO(n);
    const auto x = drawn({n}, element);
    const auto given = x.to_vector<number>();
    const auto there = fft::fft(x).to_vector<number>(), back = fft::ifft(x).to_vector<number>();
    for (std::int64_t k = 1; k < n; k = 3 * k + 1) {
      number sum = 0, other = 0;
      for (std::int64_t j = 0; j < n; ++j) {
        const auto turn = std::polar(
            1., 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
        sum += given[static_cast<std::size_t>(j)] * std::conj(turn);
        other += given[static_cast<std::size_t>(j)] * turn;
      }
      const auto at = static_cast<std::size_t>(k);
      CHECK(std::abs(there[at] - sum) < most * static_cast<double>(n));
      CHECK(std::abs(back[at] * static_cast<double>(n) - other) < most * static_cast<double>(n));
    }
  }
}

TEST_CASE("a long transform does not depend on how many there are, or how they lie") {
  test_engine e;
  for (const std::int64_t n : {16384, 20000}) {
    const auto x = drawn({9, n}, complex64);
    const auto all = fft::fft(x);
    const auto wide = concatenate({x, x}, 0).T().copy().T();  // its columns lie one by one
    for (std::int64_t i = 0; i < 9; i += 4) {
      CHECK(array_equal(fft::fft(x[i]), all[i]).item<bool>());
      CHECK(array_equal(fft::fft(x[range{i, i + 1}]), all[range{i, i + 1}]).item<bool>());
      CHECK(array_equal(fft::fft(wide[i]), all[i]).item<bool>());
    }
  }
}

TEST_CASE("transforms go along any axis, fit lengths and scale as asked") {
  test_engine e;
  const auto x = drawn({3, 4, 5}, complex128);
  for (const int axis : {0, 1, 2, -2}) {
    const auto last = moveaxis(x, axis, -1);
    CHECK(distance(fft::fft(x, {}, axis), moveaxis(fft::fft(last), -1, axis)) == 0);
  }
  const auto lines = fft::fft(x)[1].to_vector<number>();
  const auto one = fft::fft(x[1][2]).to_vector<number>();
  CHECK(std::equal(one.begin(), one.end(), lines.begin() + 10));
  CHECK(distance(fft::fft(x, 3), fft::fft(x.slice(2, 0, 3))) == 0);
  CHECK(fft::fft(x, 7).shape() == shape{3, 4, 7});
  CHECK(fft::rfft(real(x), 9, 1).shape() == shape{3, 5, 5});
  CHECK(fft::irfft(x).shape() == shape{3, 4, 8});
  CHECK(fft::irfft(x, 3, 0).shape() == shape{3, 4, 5});
  CHECK(distance(fft::fft(x, {}, -1, "ortho") * std::sqrt(5.), fft::fft(x)) < 1e-15);
  CHECK(distance(fft::fft(x, {}, -1, "forward") * 5., fft::fft(x)) < 1e-15);
  CHECK(distance(fft::ifft(x, {}, -1, "forward") / 5., fft::ifft(x)) < 1e-15);
  CHECK(distance(fft::fftn(x), fft::fft(fft::fft(fft::fft(x), {}, 1), {}, 0)) < 1e-14);
  CHECK(distance(fft::ifftn(fft::fftn(x, {}, {{0, 2}}), {}, {{0, 2}}), x) < 1e-14);
  CHECK(fft::fftn(x, {{6, 2}}).shape() == shape{3, 6, 2});
  CHECK(distance(fft::irfftn(fft::rfftn(real(x)), {{3, 4, 5}}), real(x)) < 1e-14);
  CHECK(fft::rfftn(real(x), {{4}}, {{1}}).shape() == shape{3, 3, 5});
  CHECK(fft::fft(zeros({0, 4})).shape() == shape{0, 4});
  CHECK(fft::fft(astype(arange(4), int32)).dtype() == complex128);
  CHECK(fft::fft(ones({4}, {.dtype = float16})).dtype() == complex64);
  CHECK(fft::rfft(ones({4}, {.dtype = bfloat16})).dtype() == complex64);
}

TEST_CASE("frequencies are in the order of transforms") {
  test_engine e;
  CHECK(numbers(fft::fftfreq(5, 0.5, {.dtype = float64})) ==
        std::vector<double>{0, 0.4, 0.8, -0.8, -0.4});
  CHECK(numbers(fft::fftfreq(4)) == std::vector<double>{0, 0.25, -0.5, -0.25});
  CHECK(numbers(fft::rfftfreq(4)) == std::vector<double>{0, 0.25, 0.5});
  CHECK(numbers(fft::rfftfreq(5, 0.2, {.dtype = float64})) == std::vector<double>{0, 1, 2});
  CHECK(numbers(fft::fftshift(arange(5))) == std::vector<double>{3, 4, 0, 1, 2});
  CHECK(numbers(fft::ifftshift(fft::fftshift(arange(5)))) == std::vector<double>{0, 1, 2, 3, 4});
  const auto x = reshape(arange(6), shape{2, 3});
  CHECK(numbers(fft::fftshift(x)) == std::vector<double>{5, 3, 4, 2, 0, 1});
  CHECK(numbers(fft::fftshift(x, {{1}})) == std::vector<double>{2, 0, 1, 5, 3, 4});
  CHECK(numbers(fft::fftshift(x, {1})) == std::vector<double>{2, 0, 1, 5, 3, 4});
  CHECK(numbers(fft::fftshift(x, {0, 1})) == numbers(fft::fftshift(x)));
}

TEST_CASE("gradients of transforms are those of their sums") {
  test_engine e;
  const auto weighed = [](const tensor& z) {
    const auto w =
        reshape(arange(1., static_cast<double>(z.size()) + 1, 1., {.dtype = float64}), z.shape());
    return sum(real(z) * w) + sum(imag(z) * w * w);
  };
  const auto check = [&](const std::function<tensor(const tensor&)>& f, const tensor& x) {
    const auto of = [&](const tensor& at) { return weighed(f(at)); };
    const auto found = grad(of)(x);
    CHECK(found.dtype() == x.dtype());
    constexpr double h = 1e-6;
    const auto size = x.size();
    for (std::int64_t k = 0; k < size; ++k) {
      const auto unit =
          reshape(astype(equal(arange(size), static_cast<double>(k)), float64), x.shape());
      const auto along = [&](const tensor& by) {
        return (of(x + by) - of(x - by)).item() / (2 * h);
      };
      const auto slope = reshape(found, shape{size})[k].item<number>();
      CHECK(slope.real() == Approx(along(unit * h)).margin(1e-6));
      if (is_complex(x.dtype()))
        CHECK(slope.imag() == Approx(along(unit * number(0, h))).margin(1e-6));
    }
    const auto direction = drawn(x.shape(), x.dtype());
    const auto change = jvp(of, x, direction).second;
    CHECK(change.item() == Approx(real(sum(conj(found) * direction)).item()));
  };
  for (const std::int64_t n : {4, 5, 37}) {
    INFO(n);
    check([](const tensor& x) { return fft::fft(x); }, drawn({n}, complex128));
    check([](const tensor& x) { return fft::ifft(x, {}, 0, "ortho"); }, drawn({n}, complex128));
    check([](const tensor& x) { return fft::fft(x); }, drawn({n}, float64));
    check([](const tensor& x) { return fft::rfft(x); }, drawn({n}, float64));
    check([n](const tensor& x) { return fft::irfft(x, n); }, drawn({n / 2 + 1}, complex128));
    check([n](const tensor& x) { return fft::hfft(x, n); }, drawn({n / 2 + 1}, complex128));
  }
  check([](const tensor& x) { return fft::rfftn(x, {{3, 4}}); }, drawn({2, 5}, float64));
  check([](const tensor& x) { return abs(fft::fft(x, {}, 0)); }, drawn({3, 2}, complex128));
}

TEST_CASE("transforms are mapped over batches") {
  test_engine e;
  const auto x = drawn({3, 8}, complex128);
  CHECK(distance(vmap([](const tensor& row) { return fft::fft(row); })(x), fft::fft(x)) == 0);
  CHECK(distance(vmap([](const tensor& row) { return fft::rfft(real(row)); })(x),
                 fft::rfft(real(x))) == 0);
}

TEST_CASE("wrong transforms are refused by name") {
  test_engine e;
  const auto refused = [](const auto& f, const std::string& text) {
    CHECK_THROWS_WITH(f(), Catch::Matchers::Contains(text));
  };
  const auto x = ones({2, 3});
  refused([&] { return fft::fft(x, 0); }, "fft: a transform of 0 elements");
  refused([&] { return fft::ifft(x, {}, 2); }, "ifft: axis 2");
  refused([&] { return fft::fft(ones({})); }, "fft: a scalar has no axis to transform: float32[]");
  refused([&] { return fft::rfft(x, {}, -1, "none"); },
          "rfft: norm \"none\" is none of \"backward\", \"ortho\" and \"forward\"");
  refused([&] { return fft::rfft(complex(x, x)); }, "rfft: wants real numbers, not complex64[2,3]");
  refused([&] { return fft::irfft(ones({1})); }, "irfft: a transform of 0 elements");
  refused([&] { return fft::fftn(x, {{2}}, {{0, 1}}); }, "fftn: 1 lengths for 2 axes");
  refused([&] { return fft::fftn(ones({})); }, "fftn: no axes to transform in float32[]");
  refused([&] { return fft::fftfreq(0); }, "fftfreq: a transform of 0 elements");
  refused([&] { return fft::fftfreq(INT64_MAX); },
          "arange: -4611686018427387903 to 4611686018427387904 in steps of 1 has more elements");
  refused([&] { return fft::rfft(x, INT64_MAX); }, "more elements than can be counted");
  refused([&] { return fft::fft(tensor()); }, "fft: the input names no array yet");
}

}  // namespace troupe::testing
