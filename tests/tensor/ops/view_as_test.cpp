// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/view_as.hpp"

#include <bit>

#include "troupe/tensor/autograd/checkpoint.hpp"
#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jvp.hpp"
#include "troupe/tensor/batching/vmap.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/sorting.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("view_as shows the same bytes as another dtype") {
  test_engine e;
  const tensor x = {{1.0f, -2.0f}};
  const auto bits = view_as(x, int32);
  CHECK(type_text(bits) == "int32[1,2]");
  CHECK(numbers(bits) == std::vector<double>{0x3f800000, std::bit_cast<std::int32_t>(-2.0f)});
  CHECK(numbers(view_as(bits, float32)) == numbers(x));
  CHECK(type_text(view_as(x, int64)) == "int64[1,1]");
  CHECK(type_text(view_as(x, uint8)) == "uint8[1,8]");
  CHECK(type_text(view_as(x, complex64)) == "complex64[1,1]");
  CHECK(numbers(view_as(tensor{true, false}, uint8)) == std::vector<double>{1, 0});
  CHECK(type_text(view_as(zeros({3, 0}), int8)) == "int8[3,0]");
  CHECK(type_text(view_as(zeros({0, 2}), float64)) == "float64[0,1]");
  CHECK(view_as(x, float32).source() == x.source());
}

TEST_CASE("view_as takes the elements of a view in row-major order") {
  test_engine e;
  const auto x = arange(6, int32).reshape({2, 3}).T();
  CHECK(numbers(view_as(x, uint32)) == std::vector<double>{0, 3, 1, 4, 2, 5});
}

TEST_CASE("view_as copies arrays of many chunks whole") {
  test_engine e;
  const auto x = normal({1000, 1001});
  CHECK(view_as(view_as(x, uint8), float32).to_vector<float>() == x.to_vector<float>());
}

TEST_CASE("view_as refuses what has no such bytes") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(view_as(zeros({2, 3}), float64)) ==
        "view_as: float32[2,3] as float64: the last axis cannot be divided so");
  CHECK(TROUPE_ERROR_OF(view_as(zeros({}), int8)) ==
        "view_as: float32[] as int8: a scalar keeps the size of its element");
  CHECK(TROUPE_ERROR_OF(view_as(zeros({2}, uint8), boolean)) ==
        "view_as: uint8[2] as bool: not every byte is a bool");
  constexpr auto many = std::int64_t{1} << 58;
  CHECK(TROUPE_ERROR_OF(view_as(zeros({0, many}, complex128), uint8)).find("can be counted") !=
        std::string::npos);
  CHECK(TROUPE_ERROR_OF(view_as(tensor{}, int8)) == "view_as: the input names no array yet");
}

namespace {

template <class F>
std::string refusal_of_bits(F f) {
  try {
    f();
  } catch (const error& e) { return e.what(); }
  return "nothing";
}

std::string line_of_bits(caller where) {
  return " (view_as_test.cpp:" + std::to_string(where.line()) + ")";
}

}  // namespace

TEST_CASE("gradients of bits that come back as floats are refused") {
  test_engine e;
  caller viewed, asked;
  const auto halved = [&](const tensor& x) {
    viewed = caller::current();
    const auto bits = view_as(x, int32, viewed);
    return sum(x * view_as(bits + 1 - 1, float32));
  };
  const tensor x = {1.5f, 2.5f};
  const auto expected = [&](const std::string& pass) {
    return pass + ": view_as" + line_of_bits(viewed) +
           " has no gradient; give it what detach() returns if that is a constant" +
           line_of_bits(asked);
  };
  // The lines are known once the calls were made.
  const auto check_refused = [&](const std::string& pass, auto call) {
    const auto found = refusal_of_bits(call);
    CHECK(found == expected(pass));
  };
  check_refused("backward", [&] { grad(halved)(x, asked = caller::current()); });
  check_refused("jvp", [&] { jvp(halved, x, ones({2}), asked = caller::current()); });
  check_refused("backward", [&] {
    tensor w = {1.5f, 2.5f};
    w.attach_grad();
    const recording on;
    halved(w).backward(asked = caller::current());
  });
  const auto narrowed = [&](const tensor& y) {
    return sum(view_as(y, float32, viewed = caller::current()));
  };
  const auto doubles = ones({2}, float64);
  check_refused("backward", [&] { grad(narrowed)(doubles, asked = caller::current()); });
  check_refused("jvp", [&] { jvp(narrowed, doubles, doubles, asked = caller::current()); });
}

TEST_CASE("bits as numbers have no gradient, bits that choose need none") {
  test_engine e;
  const tensor x = {1.5f, -2.5f};
  const auto as_number = [](const tensor& y) {
    return sum(y * astype(view_as(y, int32), float32));
  };
  CHECK_THROWS_AS(grad(as_number)(x), error);
  CHECK_THROWS_AS(jvp(as_number, x, ones({2})), error);
  const auto kept = [](const tensor& y) {
    return sum(where(view_as(y, int32) < 0, 3 * y, y * y) + take(y, argsort(view_as(y, int32))));
  };
  CHECK(numbers(grad(kept)(x)) == std::vector<double>{4, 4});
  CHECK(numbers(jvp(kept, x, tensor{1.f, 0.f}).second) == std::vector<double>{4});
  const auto constant_bits = [](const tensor& y) {
    return sum(y * astype(view_as(y.detach(), int32) % 8, float32));
  };
  CHECK_NOTHROW(grad(constant_bits)(x));
  CHECK_NOTHROW(jvp(constant_bits, x, ones({2})));
  // A direction that the bits do not depend on is well.
  const auto other = [](const std::vector<tensor>& in) {
    return sum(in[0] * in[0] + 0 * view_as(view_as(in[1], int32), float32));
  };
  CHECK(numbers(jvp(other, {x, x}, {ones({2}), tensor{}}).second) == std::vector<double>{-2});
}

TEST_CASE("bits have no gradient in functions that are compiled, mapped or run again") {
  test_engine e;
  const auto f = [](const tensor& x) { return view_as(view_as(x, int32) + 1, float32) * x; };
  const auto slope = [&](const tensor& x) {
    return grad([&](const tensor& y) { return sum(f(y)); })(x);
  };
  const tensor x = {1.5f, -2.5f};
  CHECK_THROWS_AS(compile(slope)(x), error);
  CHECK_THROWS_AS(vmap(slope)(x.reshape({2, 1})), error);
  const auto mapped = [&](const tensor& y) { return sum(vmap(f)(y)); };
  CHECK_THROWS_AS(grad(mapped)(x.reshape({2, 1})), error);
  CHECK_THROWS_AS(jvp(mapped, x.reshape({2, 1}), ones({2, 1})), error);
  const auto again = [&](const tensor& y) {
    return sum(checkpoint([&](const std::vector<tensor>& in) { return f(in[0]); }, {y}));
  };
  CHECK_THROWS_AS(grad(again)(x), error);
  const auto inner = [&](const tensor& y) { return sum(slope(y)); };
  CHECK_THROWS_AS(grad(inner)(x), error);
  const auto bits = view_as(x, int32);
  CHECK_THROWS_AS(grad([](const tensor& y) { return sum(y); })(bits), error);
}

TEST_CASE("a function's gradient begins at its argument, bits or not") {
  test_engine e;
  const auto steps = [](const tensor& y) { return sum(y * floor(y)); };
  const auto from_bits = [](const tensor& x) { return view_as(view_as(x, int32), float32); };
  const tensor start = {1.5f, -2.25f};
  const auto slopes = [&](const tensor& x) { return grad(steps)(from_bits(x)); };
  CHECK(numbers(slopes(start)) == std::vector<double>{1, -3});
  std::vector<double> seen;
  const auto outer = grad([&](const tensor& x) {
    seen = numbers(slopes(x));
    return sum(x * x);
  })(start);
  CHECK(seen == std::vector<double>{1, -3});
  CHECK(numbers(outer) == std::vector<double>{3, -4.5});
  const auto within = [&](const tensor& x) {
    return grad([](const tensor& y) { return sum(view_as(view_as(y, int32), float32) * y); })(x);
  };
  CHECK_THROWS_AS(within(from_bits(start)), error);
  CHECK_THROWS_AS(grad([&](const tensor& x) { return sum(within(from_bits(x))); })(start), error);
}

TEST_CASE("a gradient of the user's own may take bits, in both directions") {
  test_engine e;
  const auto f = [](const tensor& y) {
    return custom_gradient(
        {y, view_as(y, int32)},
        [](const std::vector<tensor>& in) { return in[0] * astype(greater(in[1], 0), float32); },
        [](const std::vector<tensor>& in, const tensor&, const tensor& g) {
          return std::vector<tensor>{g * astype(greater(in[1], 0), float32), tensor{}};
        });
  };
  const tensor x = {1.5f, -2.f};
  CHECK(numbers(grad([&](const tensor& y) { return sum(f(y)); })(x)) == std::vector<double>{1, 0});
  CHECK(numbers(jvp(f, x, tensor{2.f, 3.f}).second) == std::vector<double>{2, 0});
}

TEST_CASE("gradients flow between complex numbers and their parts") {
  test_engine e;
  const auto x = from_data(std::vector<double>{1, 2, -3, 0.5}, {2, 2});
  const auto parts = [](const tensor& y) {
    const auto z = view_as(y, complex128);
    return real(z * z * complex(full({}, 2.0, float64), full({}, -1.0, float64)));
  };
  check_gradient(parts, x);
  const auto back = [&](const tensor& y) {
    const auto z = view_as(y, complex128);
    return view_as(z * z * conj(z), float64) * y;
  };
  check_gradient(back, x);
  check_gradient(
      [&](const tensor& y) { return grad([&](const tensor& v) { return sum(back(v)); })(y); }, x);
  const auto [value, change] = jvp(back, x, ones({2, 2}, float64));
  const auto far = numbers(back(x + 1e-6)), near_by = numbers(back(x - 1e-6));
  const auto found = numbers(change);
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(near(found[i], (far[i] - near_by[i]) / 2e-6, 1e-6));
}

}  // namespace troupe::testing
