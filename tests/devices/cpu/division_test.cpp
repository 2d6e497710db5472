// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/scalar_functions.hpp"
#include "troupe/tests/devices/cpu/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

constexpr elementwise_op divisions[] = {elementwise_op::fmod, elementwise_op::remainder,
                                        elementwise_op::floor_divide};

template <class T>
T by_scalar_function(elementwise_op op, T x, T y) {
  if (op == elementwise_op::fmod) return scalar_functions::fmod(x, y);
  if (op == elementwise_op::remainder) return scalar_functions::remainder(x, y);
  if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {  // wraps only where kernels do it
    if (y == -1) return static_cast<T>(0 - static_cast<std::uint64_t>(x));
  }
  return scalar_functions::floor_divide(x, y);
}

template <class T>
owned of(const std::vector<T>& values) {
  owned x(dtype_of<T>(), {static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), reinterpret_cast<T*>(x.data()));
  return x;
}

/// Returns true if two numbers are the same to the bit, but that one NaN is as good as another.
template <class T>
bool same(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
  else return x == y;
}

/// Divides numbers by others, and compares with the scalar functions.
template <class T>
void check(const std::vector<T>& x, const std::vector<T>& y) {
  for (const auto op : divisions) {
    owned out(dtype_of<T>(), {static_cast<std::int64_t>(x.size())});
    run(elementwise_kernel(op, out.type), {of(x), of(y)}, out);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T got = reinterpret_cast<const T*>(out.data())[i],
              wanted = by_scalar_function(op, x[i], y[i]);
      if (same(got, wanted)) continue;
      CAPTURE(info(op).name, i, x[i], y[i], got, wanted);
      FAIL("differs");
    }
  }
}

/// Returns numbers near zero, near whole multiples, and at the ends of what there is.
template <class T>
std::vector<T> extremes() {
  using limits = std::numeric_limits<T>;
  std::vector<T> out{T(0), T(1), T(2), T(3), T(7), limits::max(), limits::lowest(), limits::min()};
  if constexpr (std::is_floating_point_v<T>) {
    const T inf = limits::infinity();
    for (const T x :
         {-T(0), T(0.1), T(0.3), T(1) / 3, inf, limits::quiet_NaN(), limits::denorm_min(),
          T(5) * limits::denorm_min(), T(4194303.75), T(4194304.5), T(3e9), T(1e15), T(3e30)})
      out.insert(out.end(), {x, std::nextafter(x, inf), std::nextafter(x, -inf)});
  } else {
    for (const int bits : {15, 24, 31, 52, 53, 62}) {
      if (bits >= limits::digits) continue;
      const T power = T(1) << bits;
      out.insert(out.end(), {power, T(power - 1), T(power + 1)});
    }
  }
  if constexpr (std::is_signed_v<T>) {
    for (auto i = out.size(); i-- > 0;) {
      if (out[i] != limits::lowest()) out.push_back(-out[i]);
    }
  }
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("divisions of extremes are those of single numbers", "", std::int32_t,
                   std::int64_t, std::uint64_t, float, double) {
  const auto all = extremes<TestType>();
  std::vector<TestType> left, right;
  for (const auto x : all) {
    for (const auto y : all) {
      left.push_back(x);
      right.push_back(y);
      check(std::vector<TestType>(16, x), std::vector<TestType>(16, y));  // a block of its own
    }
  }
  check(left, right);
}

TEST_CASE("quotients that are 0 have the sign of the fraction") {
  for (const std::size_t count : {1, 16}) {
    owned out(float64, {static_cast<std::int64_t>(count)});
    const auto sign = [&](double x, double y) {
      run(elementwise_kernel(elementwise_op::floor_divide, float64),
          {of(std::vector<double>(count, x)), of(std::vector<double>(count, y))}, out);
      REQUIRE(out.at(0) == 0);
      return std::signbit(out.at(0));
    };
    CHECK_FALSE(sign(-4.5, -11));
    CHECK_FALSE(sign(4.5, 11));
    CHECK_FALSE(sign(-0., -11));
    CHECK(sign(0, -11));
    CHECK(sign(-0., 11));
  }
}

TEMPLATE_TEST_CASE("divisions of random numbers are those of single numbers", "", std::int32_t,
                   std::int64_t, std::uint64_t, float, double) {
  std::mt19937_64 random(1);
  std::vector<TestType> x(100'000), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto some = [&] {
      if constexpr (std::is_floating_point_v<TestType>) {
        const auto sign = random() % 2 ? 1 : -1;
        return static_cast<TestType>(sign * std::ldexp(static_cast<double>(random() >> 11),
                                                       static_cast<int>(random() % 40) - 60));
      } else {
        return static_cast<TestType>(static_cast<TestType>(random()) >>
                                     (random() % 60 % (8 * sizeof(TestType))));
      }
    };
    y[i] = some();
    // Half of them are whole multiples, or next to one.
    using factor = std::conditional_t<std::is_floating_point_v<TestType>, TestType, std::uint64_t>;
    const auto multiple =
        static_cast<TestType>(static_cast<factor>(y[i]) * static_cast<factor>(random() % 100));
    x[i] = random() % 2 ? some() : multiple;
    if constexpr (std::is_floating_point_v<TestType>) {
      if (random() % 4 == 0) x[i] = std::nextafter(x[i], TestType(random() % 2 ? 1e9 : -1e9));
    }
  }
  check(x, y);
}

TEST_CASE("small integers are computed as they are with the bits of wider ones") {
  std::mt19937_64 random(2);
  for (const auto type : {int8, uint8, int16, uint16, uint32}) {
    const auto wide = computed(type);
    for (int k = 0; k < elementwise_op_count; ++k) {
      const auto op = static_cast<elementwise_op>(k);
      if (info(op).arity != 2 || !types_of(op, type) || types_of(op, type)->compute != wide)
        continue;
      if (op == elementwise_op::power || op == elementwise_op::bitwise_left_shift ||
          op == elementwise_op::bitwise_right_shift)
        continue;  // their second operand is not one that wraps
      CAPTURE(name(type), info(op).name);
      const auto some = [&](auto) {
        return static_cast<std::int64_t>(random() >> (random() % 60));
      };
      const owned x = owned(type, {1003}).set(some), y = owned(type, {1003}).set(some);
      const auto widened = [&](const owned& narrow) {
        return owned(wide, {1003}).set([&](std::int64_t i) { return narrow.at<std::int64_t>(i); });
      };
      owned got(types_of(op, type)->result, {1003}), full(types_of(op, wide)->result, {1003});
      run(elementwise_kernel(op, type), {x, y}, got);
      run(elementwise_kernel(op, wide), {widened(x), widened(y)}, full);
      const owned cut =
          owned(got.type, {1003}).set([&](std::int64_t i) { return full.at<std::int64_t>(i); });
      CHECK(got.same_bits(cut));
    }
  }
}

TEST_CASE("where chooses elements of all dtypes") {
  for (const auto type : all_dtypes) {
    CAPTURE(name(type));
    const owned choice = owned(boolean, {1003}).set([](auto i) { return i * 7919 % 5 < 2; });
    const owned x = owned(type, {1003}).set([](auto i) { return i % 100; }),
                y = owned(type, {1003}).set([](auto i) { return 100 - i % 90; });
    owned out(type, {1003});
    run(elementwise_kernel(elementwise_op::where, type), {choice, x, y}, out);
    for (std::int64_t i = 0; i < out.size(); ++i)
      REQUIRE(out.at(i) == (choice.at(i) != 0 ? x.at(i) : y.at(i)));
  }
}
