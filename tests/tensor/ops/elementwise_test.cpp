// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/elementwise.hpp"

#include <cmath>

#include "troupe/devices/scalar_functions.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise_types.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

namespace table {

using namespace scalar_functions;

/// Computes the forward column of a row for single numbers of a type that the row computes in.
template <class T>
double forward(elementwise_op op, T x, [[maybe_unused]] T y, [[maybe_unused]] T w) {
  switch (op) {
#define TROUPE_CASE(name, expression)                                                            \
  case elementwise_op::name:                                                                     \
    if constexpr (constexpr auto types = checked_types(elementwise_op::name, dtype_of<T>());     \
                  types.possible && types.compute == dtype_of<T>() && !is_complex(types.result)) \
      return static_cast<double>(T(expression));                                                 \
    break;
#define TROUPE_UNARY(name, domain, expression, ...) TROUPE_CASE(name, expression)
#define TROUPE_BINARY(name, domain, expression, ...) TROUPE_CASE(name, expression)
#define TROUPE_TERNARY(name, domain, expression, ...) TROUPE_CASE(name, expression)
#include "troupe/devices/elementwise.def"
#undef TROUPE_CASE
  }
  FAIL("the row does not compute in this type");
  return 0;
}

}  // namespace table

/// Returns small numbers of both signs, including zero; of every kind that dtypes distinguish.
tensor drawn_numbers(const tensor_type& t, int seed) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < t.dims.size(); ++i)
    out.push_back(static_cast<double>((i * 7 + seed * 5) % 9 - 4) / 2);
  return from_data(out, t.dims, {.dtype = t.element});
}

double tolerance(dtype stored, dtype computed) noexcept {
  if (stored == float16) return 0x1p-11;
  if (stored == bfloat16) return 0x1p-8;
  return computed == float32 ? 1e-5 : 1e-13;
}

/// Returns a number as an element holds it: integers wrap, natural ones as they are.
double stored(double x, dtype element) {
  if (!is_integer(element) || x >= 0x1p63) return x;
  return visit(element, [&](auto zero) {
    return static_cast<double>(static_cast<decltype(zero)>(static_cast<std::int64_t>(x)));
  });
}

}  // namespace

TEST_CASE("large transposed arrays of every dtype are computed as copies of them are") {
  test_engine e;
  for (const auto element : all_dtypes) {
    for (const std::int64_t rows : {33, 64}) {
      const auto x = astype(arange(rows * 1024) % 7, element).reshape({rows, 1024});
      const auto turned = transpose(x, {1, 0});
      CAPTURE(name(element), rows);
      REQUIRE(same_bits(where(equal(turned, turned), turned, turned), copy(turned)));
      if (element == boolean) continue;
      REQUIRE(same_bits(turned + 1, copy(turned) + 1));
      REQUIRE(same_bits(turned * turned, copy(turned) * copy(turned)));
    }
  }
}

TEST_CASE("every elementwise operation computes its row of the table on every dtype and shape") {
  test_engine e;
  for (int i = 0; i < elementwise_op_count; ++i) {
    const auto op = static_cast<elementwise_op>(i);
    for (const auto& s : record(op).samples()) {
      if (is_complex(s.inputs.back().element) || op == elementwise_op::complex) continue;
      std::vector<tensor> in;
      std::vector<tensor_type> types;
      for (const auto& t : s.inputs) {
        const auto x = drawn_numbers(t, static_cast<int>(in.size()));
        in.push_back(is_unsigned(t.element) ? astype(abs(astype(x, int8)), t.element) : x);
        types.push_back(in.back().type());
      }
      const auto out = s.call(in);
      const auto expected = record(op).infer(types, {}, {});
      CAPTURE(info(op).name, type_text(in[0]), type_text(out));
      REQUIRE(out.type() == expected[0]);

      std::vector<std::vector<double>> x;
      for (const auto& one : in) x.push_back(numbers(broadcast_to(one, out.shape())));
      while (x.size() < 3) x.push_back(x[0]);
      const auto compute = checked_types(op, types.back().element).compute;
      const auto found = numbers(out);
      for (std::size_t k = 0; k < found.size(); ++k) {
        const auto wanted = visit_computed(compute, [&](auto zero) {
          using T = decltype(zero);
          return table::forward<T>(op, static_cast<T>(x[0][k]), static_cast<T>(x[1][k]),
                                   static_cast<T>(x[2][k]));
        });
        CAPTURE(x[0][k], x[1][k], x[2][k], found[k], wanted);
        REQUIRE(near(found[k], stored(wanted, out.dtype()), tolerance(out.dtype(), compute)));
      }
    }
  }
}

TEST_CASE(
    "one row of the table makes erf a function, a record with a doc, a kernel and a gradient") {
  test_engine e;
  const auto y = erf(from_data(std::vector<double>{0.5}));
  CHECK(y.item<double>() == Approx(0.5204998778130465));
  const auto& r = record(elementwise_op::erf);
  CHECK(r.name == "erf");
  CHECK(r.doc == "The error function.");
  CHECK(r.gradient == differentiability::available);
  CHECK_FALSE(r.samples().empty());
  const std::vector<tensor_or_scalar> in = {y};
  CHECK(elementwise(elementwise_op::erf, in).item<double>() ==
        Approx(std::erf(0.5204998778130465)));
}

TEST_CASE("shapes broadcast as in NumPy") {
  test_engine e;
  const auto column = from_data(std::vector<int>{10, 20}, {2, 1}),
             row = from_data(std::vector<int>{1, 2, 3});
  const auto sum = column + row;
  CHECK(type_text(sum) == "int32[2,3]");
  CHECK(numbers(sum) == std::vector<double>{11, 12, 13, 21, 22, 23});
  CHECK(type_text(zeros({0, 3}) + zeros({3})) == "float32[0,3]");
  CHECK(type_text(zeros({}) + zeros({})) == "float32[]");
}

TEST_CASE("dtypes promote as in NumPy") {
  test_engine e;
  const auto result = [](dtype a, dtype b) { return (ones({2}, a) * ones({2}, b)).dtype(); };
  CHECK(result(boolean, int32) == int32);
  CHECK(result(int32, int64) == int64);
  CHECK(result(int32, float32) == float64);
  CHECK(result(float32, float64) == float64);
  CHECK(result(boolean, float32) == float32);
  CHECK((ones({2}, int32) / ones({2}, int32)).dtype() == float64);
  CHECK(numbers(from_data(std::vector<int>{1, 2}) + from_data(std::vector<double>{0.5, 0.25})) ==
        std::vector<double>{1.5, 2.25});
}

TEST_CASE("numbers yield to the dtype of the tensor they meet") {
  test_engine e;
  CHECK((ones({2}) + 1.5).dtype() == float32);
  CHECK((1 - ones({2})).dtype() == float32);
  CHECK((ones({2}, int32) + 1).dtype() == int32);
  CHECK((ones({2}, int32) + 1.5).dtype() == float64);
  CHECK((ones({2}, boolean) + 1).dtype() == int64);
  CHECK((ones({2}, boolean) + true).dtype() == boolean);
  CHECK((ones({2}, boolean) + 1.5).dtype() == float64);
  CHECK((ones({2}, int64) < 1.5).dtype() == boolean);
  CHECK(numbers(from_data(std::vector<int>{1, 2}) < 1.5) == std::vector<double>{1, 0});
  CHECK(numbers(2 - from_data(std::vector<int>{1, 2})) == std::vector<double>{1, 0});
  CHECK(numbers(ones({1}, int64) * INT64_MAX) ==
        std::vector<double>{static_cast<double>(INT64_MAX)});
}

TEST_CASE("operators do what their functions do") {
  test_engine e;
  const auto x = from_data(std::vector<int>{5, -7}), y = from_data(std::vector<int>{3, 3});
  CHECK(numbers(x % y) == std::vector<double>{2, 2});
  CHECK(numbers(-x) == std::vector<double>{-5, 7});
  CHECK(numbers(!x) == std::vector<double>{0, 0});
  CHECK(numbers(~x) == std::vector<double>{-6, 6});
  CHECK(numbers(x & 1) == std::vector<double>{1, 1});
  CHECK(numbers(x | y) == std::vector<double>{7, -5});
  CHECK(numbers(x ^ y) == std::vector<double>{6, -6});
  CHECK(numbers((x > 0) & (y == 3)) == std::vector<double>{1, 0});
  CHECK(numbers(x != 5) == std::vector<double>{0, 1});
  CHECK(numbers(5 >= x) == std::vector<double>{1, 1});
  CHECK(numbers(x <= y) == std::vector<double>{0, 1});
}

TEST_CASE(
    "assignment with an operator makes the handle name a new array and leaves other handles "
    "alone") {
  test_engine e;
  auto x = from_data(std::vector<float>{1, 2});
  const auto before = x;
  x += 1;
  x *= before;
  x -= before;
  x /= 2;
  CHECK(numbers(x) == std::vector<double>{0.5, 2});
  CHECK(numbers(before) == std::vector<double>{1, 2});
}

TEST_CASE("where and clip take tensors and numbers") {
  test_engine e;
  const auto x = from_data(std::vector<float>{-1, 0, 2});
  CHECK(numbers(where(x > 0, x, 0)) == std::vector<double>{0, 0, 2});
  CHECK(where(x > 0, x, 0).dtype() == float32);
  CHECK(where(x > 0, 1.0, 0).dtype() == float64);
  CHECK(where(x > 0, 1, 0).dtype() == int64);
  CHECK(numbers(where(x, 1, 0)) == std::vector<double>{1, 0, 1});
  CHECK(type_text(where(x > 0, zeros({2, 1}), 1)) == "float32[2,3]");
  CHECK(numbers(clip(x, -0.5, 1)) == std::vector<double>{-0.5, 0, 1});
}

TEST_CASE("NaN and infinity are preserved") {
  test_engine e;
  const auto x = from_data(std::vector<double>{NAN, INFINITY, -INFINITY, 0});
  CHECK(numbers(isnan(x)) == std::vector<double>{1, 0, 0, 0});
  CHECK(numbers(isinf(x)) == std::vector<double>{0, 1, 1, 0});
  CHECK(numbers(isfinite(x)) == std::vector<double>{0, 0, 0, 1});
  CHECK(numbers(1 / x)[1] == 0);
  CHECK(std::isinf(numbers(1 / x)[3]));
  CHECK(std::isnan(numbers(maximum(x, 0))[0]));
  CHECK(std::isnan(numbers(x - x)[1]));
}

TEST_CASE("elementwise mistakes are refused at the user's line") {
  test_engine e;
  const auto x = zeros({2, 3}), y = zeros({4});
  const tensor nothing;
  CHECK(TROUPE_ERROR_OF(add(x, y)) == "add: shapes do not broadcast: float32[2,3] and float32[4]");
  CHECK(TROUPE_ERROR_OF(x * y) == "multiply: shapes do not broadcast: float32[2,3] and float32[4]");
  CHECK(TROUPE_ERROR_OF(clip(x, y, 1)) ==
        "clip: shapes do not broadcast: float32[2,3], float32[4] and 1");
  CHECK(TROUPE_ERROR_OF(x & 1) == "bitwise_and: not possible for float32[2,3] and 1");
  CHECK(TROUPE_ERROR_OF(-ones({2}, boolean)) == "negative: not possible for bool[2]");
  CHECK(TROUPE_ERROR_OF(ones({2}, int32) + 3000000000) == "add: 3000000000 does not fit int32");
  CHECK(TROUPE_ERROR_OF(x + nothing) == "add: input 1 names no array yet");
  CHECK(TROUPE_ERROR_OF(exp(nothing)) == "exp: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(add(zeros({2}), zeros({2}, {.device = cpu(1)}))) ==
        "add: inputs on different devices: float32[2] on cpu:0 and float32[2] on cpu:1");
  auto z = x;
  CHECK(TROUPE_ERROR_OF(z += y) == "add: shapes do not broadcast: float32[2,3] and float32[4]");
  CHECK(TROUPE_ERROR_OF(elementwise(elementwise_op::add, std::vector<tensor_or_scalar>{x})) ==
        "add: takes 2 inputs, not 1");
}

TEST_CASE("where refuses a condition or a choice on another device") {
  test_engine e;
  const auto x = zeros({2}), there = zeros({2}, {.device = cpu(1)});
  CHECK(TROUPE_ERROR_OF(where(there > 0, x, 1)) ==
        "where: inputs on different devices: bool[2] on cpu:1 and float32[2] on cpu:0");
  CHECK(TROUPE_ERROR_OF(where(x > 0, x, there)) ==
        "where: inputs on different devices: bool[2] on cpu:0 and float32[2] on cpu:1");
  CHECK(TROUPE_ERROR_OF(where(there, 1, x)) ==
        "where: inputs on different devices: bool[2] on cpu:1 and float32[2] on cpu:0");
}

TEST_CASE(
    "tensors of different runtimes do not mix, and those of an ended runtime can only be read") {
  test_engine first;
  const auto x = ones({2});
  tensor y;
  {
    test_engine second;
    y = ones({2});
    CHECK(TROUPE_ERROR_OF(x + y) ==
          "add: inputs of different runtimes: float32[2] on cpu:0 and float32[2] on cpu:0");
  }
  CHECK(TROUPE_ERROR_OF(y + 1) == "add: the runtime that this tensor belongs to has ended");
  CHECK(numbers(y) == std::vector<double>{1, 1});
}

TEST_CASE("powers with simple exponents are squares, roots and reciprocals, of the same dtype") {
  test_engine e;
  const tensor x = {-3., 0.25, 4.};
  CHECK(numbers(power(x, 2)) == std::vector<double>{9, 0.0625, 16});
  CHECK(numbers(power(x, 2.)) == numbers(square(x)));
  CHECK(numbers(power(x, -1)) == numbers(reciprocal(x)));
  CHECK(numbers(power(abs(x), 0.5)) == numbers(sqrt(abs(x))));
  CHECK(type_text(power(tensor{1, 2}, 2.)) == "float64[2]");
  CHECK(numbers(power(tensor{2, 3}, -1)) == std::vector<double>{0, 0});
  CHECK(type_text(power(tensor{1, 2}.astype(uint8), 2)) == "uint8[2]");
  CHECK(type_text(power(tensor{1, 2}.astype(uint8), 0.5)) ==
        type_text(power(tensor{1, 2}.astype(uint8), 0.75)));
  CHECK(type_text(power(tensor{true, false}, 2)) == type_text(power(tensor{true, false}, 3)));
  check_gradient([](const tensor& y) { return power(y, 2) + power(y, -1); }, x);
  check_gradient([](const tensor& y) { return power(abs(y), 0.5); }, x);
}

}  // namespace troupe::testing
