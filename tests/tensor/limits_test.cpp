// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

constexpr std::int64_t two_to(int power) { return std::int64_t{1} << power; }

/// Returns a single number, repeated without memory.
tensor repeated(const shape& sizes, dtype element) {
  return broadcast_to(ones({}, element), sizes);
}

}  // namespace

TEST_CASE("results with more elements than can be counted are refused at the user's line") {
  test_engine e;
  const auto tall = repeated({two_to(31), 1}, float64), wide = repeated({1, two_to(30)}, float64);
  CHECK(TROUPE_ERROR_OF(tall + wide) ==
        "add: [2147483648,1073741824] has more elements than can be counted");
  const auto taller = repeated({two_to(32), 1}, float32),
             wider = repeated({1, two_to(32)}, float32);
  CHECK(TROUPE_ERROR_OF(taller + wider) ==
        "add: [4294967296,4294967296] has more elements than can be counted");
  const auto half = repeated({two_to(58)}, float64);
  CHECK(TROUPE_ERROR_OF(concatenate(std::vector<tensor>(8, half)))
            .starts_with("concatenate: more elements than can be counted: float64["));
  const auto most = repeated({two_to(59)}, float64);
  CHECK(TROUPE_ERROR_OF(concatenate(std::vector<tensor>(32, most)))
            .starts_with("concatenate: more elements than can be counted: float64["));
  CHECK(TROUPE_ERROR_OF(matmul(repeated({two_to(32), two_to(16), 1}, int64),
                               repeated({1, two_to(16)}, int64))) ==
        "matmul: [4294967296,65536,65536] has more elements than can be counted");
  const auto rows = repeated({4, two_to(32)}, float32), indices = repeated({two_to(32)}, int64);
  CHECK(TROUPE_ERROR_OF(take(rows, indices, 0)) ==
        "take: [4294967296,4294967296] has more elements than can be counted");
}

TEST_CASE("ranges of integers count their elements however far apart the ends are") {
  test_engine e;
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min(),
                 highest = std::numeric_limits<std::int64_t>::max();
  const auto too_many = Catch::Contains("has more elements than can be counted");
  CHECK_THAT(TROUPE_ERROR_OF(arange(0, lowest, -1)), too_many);
  CHECK_THAT(TROUPE_ERROR_OF(arange(lowest, highest)), too_many);
  CHECK_THAT(TROUPE_ERROR_OF(arange(0, highest)), too_many);
  CHECK_THAT(TROUPE_ERROR_OF(arange(0.0, 1e30)), too_many);
  CHECK(numbers(arange(0, lowest, lowest)) == std::vector<double>{0});
  CHECK(numbers(arange(lowest, highest, highest)).size() == 3);
  CHECK(TROUPE_ERROR_OF(linspace(0, 1, two_to(60))) ==
        "shape: [1152921504606846976] has more elements than can be counted");
}

TEST_CASE("a number that a dtype cannot hold is refused, and any number but 0 is true") {
  test_engine e;
  CHECK(numbers(full({2}, 0.5, boolean)) == std::vector<double>{1, 1});
  CHECK(numbers(full({1}, 0.0, boolean)) == std::vector<double>{0});
  CHECK(numbers(full({1}, -2.7, int32)) == std::vector<double>{-2});
  CHECK(TROUPE_ERROR_OF(full({2}, 3e9, int32)) == "full: 3e+09 does not fit int32");
  CHECK(TROUPE_ERROR_OF(full({2}, std::nan(""), int32)) == "full: nan does not fit int32");
  CHECK(TROUPE_ERROR_OF(full({2}, 1e19, int64)) == "full: 1e+19 does not fit int64");
  CHECK(TROUPE_ERROR_OF(full({1}, 18446744073709551615ull, int64)).ends_with("does not fit int64"));
  CHECK(TROUPE_ERROR_OF(arange(0, 5'000'000'000, 1'000'000'000, int32)) ==
        "arange: 4000000000 does not fit int32");
  CHECK(numbers(arange(0, 3'000'000'000, 1'000'000'000, int32)) ==
        std::vector<double>{0, 1e9, 2e9});
}

TEST_CASE("linspace rounds down to integers") {
  test_engine e;
  CHECK(numbers(linspace(-1, 1, 4, int32)) == std::vector<double>{-1, -1, 0, 1});
  CHECK(numbers(linspace(0, 1e20, 2, int32)) == std::vector<double>{0, -2147483648.});
}

TEST_CASE("norms of integers are those of the numbers, however large") {
  test_engine e;
  CHECK(norm(full({3}, 2'000'000'000, int32)).item<double>() == Approx(2e9 * std::sqrt(3.)));
  CHECK(norm(full({1}, 4'000'000'000)).item<double>() == 4e9);
  CHECK(norm(ones({4}, boolean)).item<double>() == 2);
  CHECK(type_text(norm(ones({4, 2}, int64), 0)) == "float64[2]");
}

TEST_CASE("indices are positions: unsigned ones do not wrap around") {
  test_engine e;
  const auto x = arange(4);
  CHECK(TROUPE_ERROR_OF(x[std::size_t(0) - 1]).starts_with("index: 9223372036854775807 is out of"));
  CHECK(x[std::size_t(2)].item<int>() == 2);
  static_assert(!std::is_constructible_v<index>);
  static_assert(!std::is_constructible_v<index, bool>);
}

TEST_CASE("a device number out of range does not wrap to another device") {
  test_engine e;
  const auto x = ones({1});
  CHECK(TROUPE_ERROR_OF(x.to(cpu(256))) ==
        "to: there is no device cpu:256; this runtime has cpu:0, cpu:1");
  CHECK(TROUPE_ERROR_OF(x.to(cpu(-1))) ==
        "to: there is no device cpu:-1; this runtime has cpu:0, cpu:1");
  CHECK(TROUPE_ERROR_OF(x.to(cpu(1 << 16))).starts_with("to: there is no device cpu:32767"));
}

TEST_CASE("the result of a call without outputs belongs to the runtime of its inputs") {
  test_engine a, b;
  tensor x;
  {
    const use_engine here(a.engine);
    x = ones({1});
  }
  tensor made;
  call("make", {x}, std::vector<output_type>{},
       [&](const inputs&, outputs&) { made = zeros({1}); });
  CHECK(numbers(x + made) == std::vector<double>{1});
}

TEST_CASE("a product reads vectors and rows of any step, and columns of any step, alike") {
  test_engine e;
  const auto a = (arange(40 * 60, float64) % 7).reshape({40, 60}) - 3.,
             b = (arange(60 * 50, float64) % 5).reshape({60, 50}) - 2.;
  const auto want = numbers(matmul(a, b));
  const auto stepped =
      concatenate({b.expand_dims(2), b.expand_dims(2)}, 2)(every, every, 0);  // neither stride is 1
  CHECK(numbers(matmul(a, stepped)) == want);
  const auto column = numbers(matmul(a, b(every, 7)));
  CHECK(numbers(matmul(a, stepped(every, 7))) == column);
  CHECK(numbers(matmul(a, broadcast_to(ones({1}, float64), {60}))) == numbers(sum(a, 1)));
  CHECK(numbers(matmul(b(range{.step = -1}, 3), b)) ==
        numbers(matmul(b(range{.step = -1}, 3).copy(), b)));
}

}  // namespace troupe::testing
