// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <complex>

#include "troupe/tensor/fft/fft.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/selection.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/devices/cuda/on_both.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("complex numbers agree between GPU and CPU") {
  on_both both;
  const auto element = GENERATE(complex64, complex128);
  CAPTURE(name(element));
  const auto x = both.random({37, 41}, element), y = both.random({37, 41}, element, 1),
             row = both.random({41}, element, 2), singles = both.random({37, 41}, float32, 4);
  const std::complex<double> number(0.5, -2);
  both.check([&](const auto& at) { return at(x) + at(y) * at(row); });
  both.check([&](const auto& at) { return at(x) / transpose(transpose(at(y))); });
  both.check([&](const auto& at) { return at(x) * number + 1 - at(singles); });
  both.check([&](const auto& at) { return power(at(x), 3) - power(at(x), at(y)); });
  both.check([&](const auto& at) { return abs(at(x).slice(1, 1, 40, 2)); });
  both.check([&](const auto& at) { return imag(at(x)) + real(transpose(at(x)).T()); });
  both.check([&](const auto& at) { return complex(at(singles), real(at(row))); });
  both.check([&](const auto& at) { return where(greater(at(singles), 0), at(x), 0); });
  both.check([&](const auto& at) { return not_equal(at(x), at(y)); });
  both.check([&](const auto& at) { return exp(at(x)) + log(at(x)) + sqrt(at(y)); });
  both.check([&](const auto& at) { return sin(at(x)) * cosh(at(y)) + arctan(at(row)); });
  both.check([&](const auto& at) {
    return full({3}, number, {.dtype = element}) + at(row).slice(0, 0, 3);
  });
  both.check([&](const auto& at) { return sum(at(x), 0) + mean(at(x), 0) + cumsum(at(row), 0); });
  both.check([&](const auto& at) { return matmul(at(x), transpose(at(y))); });
  both.check([&](const auto& at) { return concatenate({transpose(at(x)), transpose(at(y))}, 0); });
  both.check([&](const auto& at) { return take(at(x), at(tensor({3, 0, -1})), 1); });
  both.check([&](const auto& at) { return copy(transpose(at(x))); });
  both.check([&](const auto& at) { return at(x).at(range{2, 9}).set(at(row)); });
  for (const auto from : real_dtypes) {
    const auto given = both.random({7, 5}, from);
    both.check([&](const auto& at) { return astype(transpose(at(given)), element); });
  }
  both.check([&](const auto& at) { return astype(astype(transpose(at(x)), complex64), boolean); });
  both.check([&](const auto& at) { return fft::fft(at(x), {}, 0, "ortho"); });
  both.check([&](const auto& at) { return fft::ifftn(at(x)); });
  both.check([&](const auto& at) { return fft::irfft(fft::rfft(real(at(x)), 12), 12); });
  both.check([&](const auto& at) { return fft::irfft(at(x).slice(1, 0, 20)) + at(singles)[0][0]; });
}
