// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/windows.hpp"

#include <cmath>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

void check_near(const tensor& found, const list& wanted) {
  const auto all = numbers(found);
  REQUIRE(all.size() == wanted.size());
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(std::abs(all[i] - wanted[i]) < 1e-7);
}

}  // namespace

TEST_CASE("windows slide along any axis, without a copy") {
  test_engine e;
  const auto x = arange(5);
  CHECK(type_text(sliding_windows(x, 3)) == "int64[3,3]");
  CHECK(numbers(sliding_windows(x, 3)) == list{0, 1, 2, 1, 2, 3, 2, 3, 4});
  CHECK(numbers(sliding_windows(x, 2, 0, 3)) == list{0, 1, 3, 4});
  CHECK(sliding_windows(x, 3).source() == x.source());
  const auto y = arange(12).reshape({3, 4});
  CHECK(type_text(sliding_windows(y, 2, 0)) == "int64[2,4,2]");
  CHECK(numbers(sliding_windows(y, 2, 0)[1]) == list{4, 8, 5, 9, 6, 10, 7, 11});
  CHECK(numbers(mean(sliding_windows(y.T(), 3, 1), -1)) == list{4, 5, 6, 7});
  const auto slope = grad([](const tensor& v) { return sum(sliding_windows(v, 3)); });
  CHECK(numbers(slope(ones({6}))) == list{1, 2, 3, 3, 2, 1});

  CHECK(TROUPE_ERROR_OF(sliding_windows(x, 6)) ==
        "sliding_windows: windows of 6, 1 apart, along axis 0 of int64[5]");
  CHECK(TROUPE_ERROR_OF(sliding_windows(x, 0)) ==
        "sliding_windows: windows of 0, 1 apart, along axis 0 of int64[5]");
  CHECK(TROUPE_ERROR_OF(sliding_windows(x, 2, 0, 0)) ==
        "sliding_windows: windows of 2, 0 apart, along axis 0 of int64[5]");
  CHECK(TROUPE_ERROR_OF(sliding_windows(ones({1, 1, 1, 1, 1, 1, 1, 1}), 1)) ==
        "sliding_windows: too many axes come out of float32[1,1,1,1,1,1,1,1]");
}

// The wanted numbers are NumPy's and SciPy's.
TEST_CASE("windows fade as NumPy's do") {
  test_engine e;
  CHECK(type_text(hann(5)) == "float32[5]");
  check_near(hann(5), {0, 0.5, 1, 0.5, 0});
  check_near(hann(4, true), {0, 0.5, 1, 0.5});
  check_near(hamming(5, false, {.dtype = float64}), {0.08, 0.54, 1, 0.54, 0.08});
  check_near(blackman(5), {0, 0.34, 1, 0.34, 0});
  check_near(bartlett(5), {0, 0.5, 1, 0.5, 0});
  for (const auto& one : {hann(1), hamming(1), blackman(1, true), bartlett(1)})
    CHECK(numbers(one) == list{1});
  CHECK(type_text(hann(0)) == "float32[0]");
  CHECK(TROUPE_ERROR_OF(hann(-1)) == "hann: -1 samples");
}

}  // namespace troupe::testing
