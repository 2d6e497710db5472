// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "troupe/devices/scalar_functions.hpp"
#include "troupe/tests/devices/cpu/kernel_runner.hpp"
#include "troupe/tests/near.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace troupe::reference {

namespace {

using namespace scalar_functions;

#define TROUPE_UNARY(name, domain, forward, dx, doc) \
  struct name##_row {                                \
    template <class T>                               \
    static double apply(T x, T, T) {                 \
      return static_cast<double>(forward);           \
    }                                                \
  };
#define TROUPE_BINARY(name, domain, forward, dx, dy, doc) \
  struct name##_row {                                     \
    template <class T>                                    \
    static double apply(T x, T y, T) {                    \
      return static_cast<double>(forward);                \
    }                                                     \
  };
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc) \
  struct name##_row {                                          \
    template <class T>                                         \
    static double apply(T x, T y, T w) {                       \
      return static_cast<double>(forward);                     \
    }                                                          \
  };
#include "troupe/devices/elementwise.def"

using function = double (*)(double, double, double);

template <elementwise_op Op, class Row>
constexpr function function_of() {
  constexpr auto types = types_of(Op, float64);
  if constexpr (types && !is_complex(types->result)) return Row::template apply<double>;
  else return nullptr;
}

constexpr function functions[] = {
#define TROUPE_UNARY(name, ...) function_of<elementwise_op::name, name##_row>(),
#define TROUPE_BINARY(name, ...) function_of<elementwise_op::name, name##_row>(),
#define TROUPE_TERNARY(name, ...) function_of<elementwise_op::name, name##_row>(),
#include "troupe/devices/elementwise.def"
};

}  // namespace

}  // namespace troupe::reference

namespace {

elementwise_op op_at(int i) { return static_cast<elementwise_op>(i); }

/// Returns numbers of all magnitudes, preceded by special ones.
owned operands(dtype type, const indices& shape, int seed, bool special = true) {
  const double specials[] = {0.0, -0.0, 1, -1, infinity, -infinity, not_a_number, 2, 0.5, -2};
  owned x(type, shape);
  return x.set([&](std::int64_t i) {
    if (special && i < 10 && is_floating(type)) return specials[(i * (2 * seed + 1)) % 10];
    return static_cast<double>((i * 7919 + seed * 104729) % 2003 - 1001) /
           (is_floating(type) ? 211.0 : 100.0);
  });
}

/// Returns the result of `op` on `inputs` as they are, in their common dtype.
owned compute(elementwise_op op, const std::vector<owned>& inputs, order how = order::together) {
  const dtype type = inputs.back().type;
  owned out(types_of(op, type)->result, inputs.back().shape);
  run(elementwise_kernel(op, type), inputs, out, nullptr, how);
  return out;
}

std::vector<owned> inputs_for(elementwise_op op, dtype type, const indices& shape,
                              bool special = true) {
  std::vector<owned> inputs;
  for (int k = 0; k < info(op).arity; ++k) {
    const bool condition = k == 0 && info(op).domain == elementwise_domain::selection;
    inputs.push_back(operands(condition ? boolean : type, shape, k, special));
  }
  return inputs;
}

double expected(elementwise_op op, const std::vector<owned>& inputs, std::int64_t i) {
  double x[3] = {};
  for (std::size_t k = 0; k < inputs.size(); ++k) x[k] = inputs[k].at(i);
  return reference::functions[static_cast<int>(op)](x[0], x[1], x[2]);
}

}  // namespace

TEST_CASE("every row of floats agrees with the same expression on single float64 numbers") {
  for (int row = 0; row < elementwise_op_count; ++row) {
    const elementwise_op op = op_at(row);
    if (!reference::functions[row]) continue;
    for (const dtype type : {float32, float64}) {
      if (type == float32 && op == elementwise_op::nextafter) continue;  // another number
      const auto inputs = inputs_for(op, type, {1000});
      const owned out = compute(op, inputs);
      CAPTURE(info(op).name, name(type));
      for (std::int64_t i = 0; i < out.size(); ++i) {
        const double want = expected(op, inputs, i);
        CAPTURE(i, inputs[0].at(i), inputs.back().at(i), out.at(i), want);
        // Nearly whole quotients and large angles are a different number in float32.
        const bool unstable =
            type == float32 && (op == elementwise_op::tan || op == elementwise_op::floor_divide ||
                                op == elementwise_op::remainder || op == elementwise_op::power ||
                                op == elementwise_op::fmod);
        const double tolerance = type == float64 ? 1e-12 : unstable ? 1e-3 : 4e-6;
        if (!near(out.at(i), want, tolerance)) FAIL("differs");
      }
    }
  }
}

TEST_CASE("a result does not depend on where its element lies") {
  for (int row = 0; row < elementwise_op_count; ++row) {
    const elementwise_op op = op_at(row);
    for (const dtype type : real_dtypes) {
      if (!types_of(op, type)) continue;
      CAPTURE(info(op).name, name(type));
      const auto inputs = inputs_for(op, type, {67});
      const owned whole = compute(op, inputs);
      for (std::int64_t i = 0; i < 67; ++i) {
        std::vector<owned> single = inputs;
        for (auto& x : single) x.offset = i, x.shape = {1};
        const owned one = compute(op, single);
        owned same = whole;
        same.offset = i, same.shape = {1};
        if (!one.same_bits(same)) FAIL("element " << i << " differs");
      }
    }
  }
}

TEST_CASE("strided and broadcast inputs give the results of their contiguous copies") {
  const auto views = [](const owned& x) -> std::vector<owned> {
    const owned row = operands(x.type, {300}, 3).broadcast({200, 300});
    const owned column = operands(x.type, {200, 1}, 4).broadcast({200, 300});
    const owned one = operands(x.type, {1}, 5, false).broadcast({200, 300});
    const owned cube = operands(x.type, {300, 400}, 6).transposed().stepped(0, -2);
    const owned narrow = operands(x.type, {200, 600}, 7).stepped(1, 2);
    return {x, row, column, one, cube, narrow};
  };
  const auto contiguous = [](const owned& x) {
    owned y(x.type, x.shape);
    return y.set([&](std::int64_t i) { return x.at(i); });
  };
  for (const auto op : {elementwise_op::add, elementwise_op::hypot, elementwise_op::less}) {
    const owned x = operands(float32, {200, 300}, 0), y = operands(float32, {200, 300}, 1);
    for (const owned& a : views(x)) {
      for (const owned& b : views(y)) {
        REQUIRE(a.shape == b.shape);
        const owned out = compute(op, {a, b});
        REQUIRE(out.same_bits(compute(op, {contiguous(a), contiguous(b)})));
        REQUIRE(out.same_bits(compute(op, {a, b}, order::backwards)));
      }
    }
  }
}

TEST_CASE("short rows, many axes and no axes at all work") {
  const owned x = operands(float64, {2, 3, 5, 7}, 0).transposed().stepped(2, -1);
  const owned row = operands(float64, {3, 1}, 1).broadcast({7, 5, 3, 2});
  const owned out = compute(elementwise_op::subtract, {x, row});
  for (std::int64_t i = 0; i < out.size(); ++i) REQUIRE(near(out.at(i), x.at(i) - row.at(i), 0));

  const owned scalar =
      compute(elementwise_op::exp, {owned(float64, {}).set([](auto) { return 1; })});
  REQUIRE(scalar.at(0) == Approx(2.718281828459045));
}

TEST_CASE("nothing in, nothing out") {
  const owned out =
      compute(elementwise_op::add, {owned(float32, {0, 3}), owned(float32, {3}).broadcast({0, 3})});
  REQUIRE(out.size() == 0);
}

TEST_CASE("an output may lie in its input's memory") {
  owned x = operands(float32, {100003}, 0);
  owned y = operands(float32, {100003}, 1);
  const owned want = compute(elementwise_op::multiply, {x, y});
  run(elementwise_kernel(elementwise_op::multiply, float32), {x, y}, y, nullptr, order::backwards);
  REQUIRE(y.same_bits(want));
}

TEST_CASE("inputs of other dtypes are converted while they are read") {
  const owned x = operands(int32, {50, 40}, 0), y = operands(boolean, {40, 50}, 1).transposed();
  const owned z = operands(float32, {1}, 2, false).broadcast({50, 40});
  owned out(float64, {50, 40});
  run(elementwise_kernel(elementwise_op::add, float64), {x, y}, out);
  for (std::int64_t i = 0; i < out.size(); ++i) REQUIRE(out.at(i) == x.at(i) + y.at(i));
  run(elementwise_kernel(elementwise_op::multiply, float64), {z, x}, out);
  for (std::int64_t i = 0; i < out.size(); ++i) REQUIRE(out.at(i) == x.at(i) * z.at(i));
  run(elementwise_kernel(elementwise_op::exp, int32), {x}, out);
  for (std::int64_t i = 0; i < out.size(); ++i) REQUIRE(out.at(i) == Approx(std::exp(x.at(i))));
}

TEST_CASE("integers wrap and never trap") {
  const auto each = [](elementwise_op op, auto x, auto y) {
    using T = decltype(x);
    const auto of = [](T value) {
      return owned(dtype_of<T>(), {1}).set([&](auto) { return value; });
    };
    return compute(op, {of(x), of(y)}).template at<T>(0);
  };
  const std::int32_t least = INT32_MIN;
  const std::int64_t least64 = INT64_MIN;
  REQUIRE(each(elementwise_op::add, INT32_MAX, 1) == least);
  REQUIRE(each(elementwise_op::multiply, least64, std::int64_t{-1}) == least64);
  REQUIRE(each(elementwise_op::floor_divide, least, -1) == least);
  REQUIRE(each(elementwise_op::remainder, least64, std::int64_t{-1}) == 0);
  REQUIRE(each(elementwise_op::fmod, least, -1) == 0);
  REQUIRE(each(elementwise_op::floor_divide, 7, 0) == 0);
  REQUIRE(each(elementwise_op::remainder, std::int64_t{7}, std::int64_t{0}) == 0);
  REQUIRE(each(elementwise_op::floor_divide, -7, 2) == -4);
  REQUIRE(each(elementwise_op::remainder, -7, 2) == 1);
  REQUIRE(each(elementwise_op::remainder, 7, -2) == -1);
  REQUIRE(each(elementwise_op::fmod, -7, 2) == -1);
  REQUIRE(each(elementwise_op::power, 3, 4) == 81);
  REQUIRE(each(elementwise_op::power, 2, -1) == 0);
  REQUIRE(each(elementwise_op::power, -1, -3) == -1);
  REQUIRE(each(elementwise_op::power, std::int64_t{3}, std::int64_t{39}) == 4052555153018976267);
  REQUIRE(each(elementwise_op::bitwise_xor, 12, 10) == 6);
}

TEST_CASE("floats divide as NumPy's do") {
  const auto each = [](elementwise_op op, double x, double y) {
    const auto of = [](double value) {
      return owned(float64, {1}).set([&](auto) { return value; });
    };
    return compute(op, {of(x), of(y)}).at(0);
  };
  REQUIRE(each(elementwise_op::remainder, -7, 2.5) == 0.5);
  REQUIRE(each(elementwise_op::remainder, 7, -2.5) == -0.5);
  REQUIRE(each(elementwise_op::remainder, -5, infinity) == infinity);
  REQUIRE(std::isnan(each(elementwise_op::remainder, 1, 0)));
  REQUIRE(each(elementwise_op::floor_divide, -7, 2) == -4);
  REQUIRE(each(elementwise_op::floor_divide, 1, 0) == infinity);
  REQUIRE(each(elementwise_op::floor_divide, 6, 0.1) == 59);
  REQUIRE(each(elementwise_op::logaddexp, infinity, infinity) == infinity);
  REQUIRE(each(elementwise_op::logaddexp, -infinity, -infinity) == -infinity);
  REQUIRE(std::isnan(each(elementwise_op::maximum, not_a_number, 1)));
  REQUIRE(std::isnan(each(elementwise_op::minimum, 1, not_a_number)));
}

TEST_CASE("powers of small whole numbers are exact") {
  for (const dtype type : {float32, float64}) {
    for (int base = -9; base <= 9; ++base) {
      for (int exponent = 0; exponent <= 6; ++exponent) {
        const auto of = [&](double value) {
          return owned(type, {1}).set([&](auto) { return value; });
        };
        CAPTURE(name(type), base, exponent);
        REQUIRE(compute(elementwise_op::power, {of(base), of(exponent)}).at(0) ==
                std::pow(base, exponent));
      }
    }
  }
}

TEST_CASE("bool follows its own arithmetic") {
  const owned x = owned(boolean, {4}).set([](auto i) { return i / 2; });
  const owned y = owned(boolean, {4}).set([](auto i) { return i % 2; });
  const auto bits = [&](elementwise_op op) {
    const owned out = compute(op, info(op).arity == 1 ? std::vector{x} : std::vector{x, y});
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum = 10 * sum + out.at<int>(i);
    return sum;
  };
  REQUIRE(bits(elementwise_op::add) == 111);
  REQUIRE(bits(elementwise_op::multiply) == 1);
  REQUIRE(bits(elementwise_op::maximum) == 111);
  REQUIRE(bits(elementwise_op::minimum) == 1);
  REQUIRE(bits(elementwise_op::bitwise_xor) == 110);
  REQUIRE(bits(elementwise_op::bitwise_not) == 1100);
  REQUIRE(bits(elementwise_op::less) == 100);
  REQUIRE(bits(elementwise_op::abs) == 11);
  REQUIRE(elementwise_kernel(elementwise_op::subtract, boolean) == nullptr);
  REQUIRE(elementwise_kernel(elementwise_op::negative, boolean) == nullptr);
  REQUIRE(types_of(elementwise_op::power, boolean)->result == int32);
}

TEST_CASE("rounding, signs and tests of single numbers are NumPy's") {
  const owned x = owned(float32, {8}).set([](auto i) {
    const double values[] = {-2.5, -1.5, 0.5, 1.5, 2.5, not_a_number, infinity, -infinity};
    return values[i];
  });
  const auto all = [&](elementwise_op op) {
    std::vector<double> values;
    const owned out = compute(op, {x});
    for (int i = 0; i < 8; ++i) values.push_back(out.at(i));
    return values;
  };
  const auto rounded = all(elementwise_op::round);
  REQUIRE(std::vector<double>(rounded.begin(), rounded.begin() + 5) ==
          std::vector<double>{-2, -2, 0, 2, 2});
  REQUIRE(all(elementwise_op::isnan) == std::vector<double>{0, 0, 0, 0, 0, 1, 0, 0});
  REQUIRE(all(elementwise_op::isinf) == std::vector<double>{0, 0, 0, 0, 0, 0, 1, 1});
  REQUIRE(all(elementwise_op::isfinite) == std::vector<double>{1, 1, 1, 1, 1, 0, 0, 0});
  const auto signs = all(elementwise_op::sign);
  REQUIRE((signs[0] == -1 && signs[4] == 1 && std::isnan(signs[5]) && signs[7] == -1));
  const auto relu = all(elementwise_op::relu);
  REQUIRE((relu[0] == 0 && relu[4] == 2.5 && std::isnan(relu[5]) && relu[6] == infinity &&
           relu[7] == 0));
}

TEST_CASE("where and clip choose") {
  const owned condition = owned(boolean, {3}).set([](auto i) { return i != 1; });
  const owned x = owned(int64, {3}).set([](auto i) { return i; });
  const owned y = owned(int64, {3}).set([](auto i) { return -10 * i; });
  const owned out = compute(elementwise_op::where, {condition, x, y});
  REQUIRE((out.at(0) == 0 && out.at(1) == -10 && out.at(2) == 2));

  const owned low = owned(int64, {1}).set([](auto) { return 1; }).broadcast({3});
  const owned high = owned(int64, {1}).set([](auto) { return 1; }).broadcast({3});
  const owned clipped = compute(elementwise_op::clip, {x, low, high});
  REQUIRE((clipped.at(0) == 1 && clipped.at(1) == 1 && clipped.at(2) == 1));
}

TEST_CASE("the row of erf is all that erf needs") {
  const owned x = operands(float64, {1000}, 0, false);
  const owned out = compute(elementwise_op::erf, {x});
  for (std::int64_t i = 0; i < 1000; ++i)
    REQUIRE(out.at(i) == Approx(std::erf(x.at(i))).margin(1e-14));
}
