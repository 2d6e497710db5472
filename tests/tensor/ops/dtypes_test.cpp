// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/dtypes.hpp"

#include <cmath>

#include "troupe/tensor/ops/arithmetic.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/selection.hpp"
#include "troupe/tensor/ops/sorting.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using integers = std::vector<std::int64_t>;

template <class T>
tensor of(std::vector<T> elements) {
  return from_data(elements);
}

integers whole(const tensor& x) { return x.to_vector<std::int64_t>(); }

/// Calls f with a number of each integer type.
template <class F>
void for_each_integer(const F& f) {
  for (const auto element : all_dtypes) {
    if (!is_integer(element)) continue;
    INFO(name(element));
    visit(element, [&]<class T>(T) {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) f(T{});
    });
  }
}

}  // namespace

TEST_CASE("dtypes promote as the array API standard has it") {
  const dtype order[] = {int8, int16, int32, int64, uint8, uint16, uint32};
  const dtype table[][7] = {{int8, int16, int32, int64, int16, int32, int64},
                            {int16, int16, int32, int64, int16, int32, int64},
                            {int32, int32, int32, int64, int32, int32, int64},
                            {int64, int64, int64, int64, int64, int64, int64},
                            {int16, int16, int32, int64, uint8, uint16, uint32},
                            {int32, int32, int32, int64, uint16, uint16, uint32},
                            {int64, int64, int64, int64, uint32, uint32, uint32}};
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) CHECK(promote(order[i], order[j]) == table[i][j]);
  }
  for (const auto a : all_dtypes) {
    CHECK(promote(a, a) == a);
    CHECK(promote(a, boolean) == a);
    for (const auto b : all_dtypes) CHECK(promote(a, b) == promote(b, a));
  }
  CHECK(promote(uint64, uint32) == uint64);
  CHECK(promote(uint64, int8) == float64);
  CHECK(promote(uint8, float16) == float16);
  CHECK(promote(int8, bfloat16) == bfloat16);
  CHECK(promote(int16, float16) == float32);
  CHECK(promote(uint16, float32) == float32);
  CHECK(promote(int32, float32) == float64);
  CHECK(promote(float16, bfloat16) == float32);
}

TEST_CASE("dtypes tell what they hold") {
  CHECK(iinfo(int8).min == -128);
  CHECK(iinfo(int8).max == 127);
  CHECK(iinfo(uint16).max == 65535);
  CHECK(iinfo(uint32).bits == 32);
  CHECK(iinfo(uint64).max == UINT64_MAX);
  CHECK(iinfo(uint64).min == 0);
  CHECK(iinfo(int64).min == INT64_MIN);
  CHECK(finfo(float32).eps == 0x1p-23);
  CHECK(finfo(float64).max == 0x1.fffffffffffffp1023);
  for (const auto element : {float16, bfloat16}) {
    test_engine e;
    const auto one = full({}, 1, {.dtype = element});
    CHECK((one + finfo(element).eps).item<float>() > 1);
    CHECK((one + finfo(element).eps / 2).item<float>() == 1);
    CHECK(std::isinf((full({}, finfo(element).max, {.dtype = element}) * 1.01).item<float>()));
  }
  CHECK(TROUPE_ERROR_OF(finfo(int8)) == "finfo: int8 is not floating");
  CHECK(TROUPE_ERROR_OF(iinfo(boolean)) == "iinfo: bool is no integer");
  CHECK(can_cast(uint8, int16));
  CHECK_FALSE(can_cast(int8, uint8));
  CHECK(can_cast(boolean, uint8));
  CHECK_FALSE(can_cast(float32, int64));
  CHECK(isdtype(uint8, "unsigned integer"));
  CHECK(isdtype(uint8, "integral"));
  CHECK(isdtype(int8, "signed integer"));
  CHECK_FALSE(isdtype(uint64, "signed integer"));
  CHECK(isdtype(bfloat16, "real floating"));
  CHECK_FALSE(isdtype(boolean, "numeric"));
  CHECK(TROUPE_ERROR_OF(isdtype(int8, "complex")) == "isdtype: \"complex\" is no kind of dtypes");
}

TEST_CASE("result_type promotes tensors, and numbers to them") {
  test_engine e;
  const auto bytes = zeros({2}, uint8);
  CHECK(result_type({bytes, zeros({2}, int8)}) == int16);
  CHECK(result_type({bytes, 3}) == uint8);
  CHECK(result_type({bytes, 1.5}) == float64);
  CHECK(result_type({3, 1.5}) == float64);
  CHECK(result_type({zeros({1}, float16), 1.5}) == float16);
  CHECK(result_type({UINT64_MAX}) == uint64);
  CHECK(TROUPE_ERROR_OF(result_type(std::span<const tensor_or_scalar>{})) ==
        "result_type: nothing to promote");
}

TEST_CASE("narrow integers wrap as their C++ types do") {
  test_engine e;
  for_each_integer([]<class T>(T) {
    using limits = std::numeric_limits<T>;
    const std::vector<T> values = {limits::lowest(), limits::max(), T(0), T(1), T(7), T(100)};
    const tensor x = of(values), y = of(std::vector<T>(values.rbegin(), values.rend()));
    REQUIRE(x.dtype() == dtype_of<T>());
    const auto check = [&](const tensor& got, const auto& formula) {
      REQUIRE(got.dtype() == dtype_of<T>());
      const auto elements = got.to_vector<T>();
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto bits = [](T number) {  // NOLINTNEXTLINE(bugprone-signed-char-misuse)
          return static_cast<std::uint64_t>(number);
        };
        const auto a = bits(values[i]), b = bits(values[values.size() - 1 - i]);
        CHECK(elements[i] == static_cast<T>(formula(a, b)));
      }
    };
    check(x + y, [](auto a, auto b) { return a + b; });
    check(x - y, [](auto a, auto b) { return a - b; });
    check(x * y, [](auto a, auto b) { return a * b; });
    check(-x, [](auto a, auto) { return std::uint64_t{0} - a; });
    check(~x, [](auto a, auto) { return ~a; });
    check(x ^ y, [](auto a, auto b) { return a ^ b; });
    check(x + 1, [](auto a, auto) { return a + 1; });
    check(maximum(x, y),
          [](auto a, auto b) { return static_cast<T>(a) > static_cast<T>(b) ? a : b; });
    check(floor_divide(x, of(std::vector<T>(values.size(), T(3)))), [](auto a, auto) {
      const auto quotient = static_cast<T>(a) / T(3);
      return quotient - (static_cast<T>(a) % T(3) < 0 ? 1 : 0);
    });
    CHECK(x[0].to_vector<T>()[0] == limits::lowest());
    CHECK(max(x).item<T>() == limits::max());
    CHECK(min(x).item<T>() == limits::lowest());
    CHECK(argmax(x).item<int>() == 1);
    auto sorted = values;
    std::ranges::sort(sorted);
    CHECK(sort(x).to_vector<T>() == sorted);
    CHECK(sum(x).dtype() == (std::is_signed_v<T> ? int64 : uint64));
    CHECK(type_text(less(x, y)) == "bool[6]");
    const std::vector<int> below = less(x, y).to_vector<int>();
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(below[i] == (values[i] < values[values.size() - 1 - i]));
  });
}

TEST_CASE("narrow integers beside numbers are what computing in int64 and storing gives") {
  test_engine e;
  for (const auto element : {int8, int16, uint8, uint16, uint32}) {
    INFO(name(element));
    const std::int64_t least = iinfo(element).min, most = iinfo(element).max;
    const tensor wide = remainder(arange(70) * 7919, most - least + 1) + least;
    const tensor narrow = astype(wide, element);
    for (const std::int64_t number : {least, std::int64_t{0}, std::int64_t{7}, most}) {
      const auto stored = [&](const tensor& x) { return whole(astype(x, element)); };
      CHECK(whole(narrow + number) == stored(wide + number));
      CHECK(whole(number - narrow) == stored(number - wide));
      CHECK(whole(narrow * number) == stored(wide * number));
      CHECK(whole(maximum(narrow, number)) == stored(maximum(wide, number)));
      CHECK(whole(narrow ^ number) == stored(wide ^ number));
      CHECK(whole(where(less(narrow, number), narrow, number)) ==
            whole(where(less(wide, number), wide, number)));
    }
    for (const std::int64_t number : {least - 1, least, std::int64_t{7}, most, most + 1}) {
      CHECK(whole(less(narrow, number)) == whole(less(wide, number)));
      CHECK(whole(equal(narrow, number)) == whole(equal(wide, number)));
      CHECK(whole(greater_equal(number, narrow)) == whole(greater_equal(number, wide)));
    }
  }
}

TEST_CASE("numbers that an integer dtype does not hold are refused") {
  test_engine e;
  const auto x = zeros({1}, uint8);
  CHECK(TROUPE_ERROR_OF(x + 256) == "add: 256 does not fit uint8");
  CHECK(TROUPE_ERROR_OF(x - -1) == "subtract: -1 does not fit uint8");
  CHECK(whole(less(x, 256)) == integers{1});
  CHECK(whole(greater(x, -1)) == integers{1});
  CHECK(TROUPE_ERROR_OF(full({1}, 128, {.dtype = int8})) == "full: 128 does not fit int8");
  CHECK(TROUPE_ERROR_OF(full({1}, -1, {.dtype = uint64})) == "full: -1 does not fit uint64");
  CHECK(full({1}, UINT64_MAX, {.dtype = uint64}).item<std::uint64_t>() == UINT64_MAX);
  CHECK(TROUPE_ERROR_OF(full({1}, UINT64_MAX, {.dtype = int64})) ==
        "full: 18446744073709551615 does not fit int64");
  CHECK(TROUPE_ERROR_OF(full({1}, 300).item<std::uint8_t>()) == "item: 300 does not fit uint8");
  CHECK(TROUPE_ERROR_OF(full({1}, -1).item<std::uint64_t>()) == "item: -1 does not fit uint64");
  CHECK(full({1}, 200).item<std::uint8_t>() == 200);
}

TEST_CASE("conversions between all dtypes keep what both hold") {
  test_engine e;
  for (const auto from : all_dtypes) {
    for (const auto to : all_dtypes) {
      INFO(name(from) << " to " << name(to));
      const auto x = astype(tensor{0, 1, 1, 0, 1}, from);
      if (is_complex(from) && !is_complex(to) && to != boolean) {
        CHECK_THROWS_WITH(astype(x, to), Catch::Matchers::Contains("is not real"));
        continue;
      }
      const auto y = astype(x, to);
      CHECK(y.dtype() == to);
      CHECK(whole(real(y)) == integers{0, 1, 1, 0, 1});
      CHECK(whole(real(astype(x[range{.step = -1}], to))) == integers{1, 0, 1, 1, 0});
    }
  }
  CHECK(astype(tensor{1e19, -1., 3.7}, uint64).to_vector<std::uint64_t>() ==
        std::vector<std::uint64_t>{10'000'000'000'000'000'000u, UINT64_MAX, 3});
  CHECK(whole(astype(tensor{300, -1, 65536}, uint8)) == integers{44, 255, 0});
}

TEST_CASE("indices may have any integer dtype") {
  test_engine e;
  const auto x = arange(10) * 2;
  for_each_integer([&]<class T>(T) {
    const tensor places = of(std::vector<T>{3, 0, 9});
    CHECK(whole(take(x, places)) == integers{6, 0, 18});
    CHECK(whole(x[places]) == integers{6, 0, 18});
    auto y = x;
    y.at(places) = -1;
    CHECK(whole(y)[3] == -1);
    CHECK(whole(take_along_axis(x, places, 0)) == integers{6, 0, 18});
  });
}

TEST_CASE("products and sums of narrow integers") {
  test_engine e;
  const auto x = astype(arange(6).reshape({2, 3}), uint8);
  const auto product = matmul(x, x.T());
  CHECK(type_text(product) == "uint8[2,2]");
  CHECK(whole(product) == integers{5, 14, 14, 50});
  CHECK(type_text(sum(x)) == "uint64[]");
  CHECK(type_text(mean(x)) == "float64[]");
  CHECK(mean(x).item() == 2.5);
  CHECK(type_text(x / 2) == "float64[2,3]");
}

TEST_CASE("reductions of narrow integers are those of int64") {
  test_engine e;
  for (const auto element : {int8, int16, uint8, uint16, uint32}) {
    INFO(name(element));
    const int least = name(element)[0] == 'i' ? -50 : 0;
    const tensor wide = remainder(arange(300 * 500) * 7919, 101).reshape({300, 500}) + least;
    const tensor narrow = astype(wide, element);
    const auto check = [&](const tensor& x, const tensor& y) {
      for (const auto& over : {axes{}, axes{0}, axes{1}}) {
        CHECK(numbers(sum(x, over)) == numbers(sum(y, over)));
        CHECK(numbers(mean(x, over)) == numbers(mean(y, over)));
        CHECK(numbers(var(x, over)) == numbers(var(y, over)));
        CHECK(numbers(max(x, over)) == numbers(max(y, over)));
        CHECK(numbers(min(x, over)) == numbers(min(y, over)));
        CHECK(numbers(any(x, over)) == numbers(any(y, over)));
        CHECK(numbers(all(x, over)) == numbers(all(y, over)));
        CHECK(numbers(logsumexp(x, over)) == numbers(logsumexp(y, over)));
      }
      CHECK(numbers(argmax(x, 0)) == numbers(argmax(y, 0)));
      CHECK(numbers(argmin(x, 1)) == numbers(argmin(y, 1)));
    };
    check(narrow, wide);
    check(narrow.T(), wide.T());
    check(narrow(range{.step = -2}, range{3, 400}), wide(range{.step = -2}, range{3, 400}));
  }
}

}  // namespace troupe::testing
