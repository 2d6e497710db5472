// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/selection.hpp"

#include <cmath>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/put.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("an ellipsis stands for the axes that are not named") {
  test_engine e;
  const auto x = arange(24).reshape({2, 3, 4});
  CHECK(numbers(x(ellipsis, 0)) == list{0, 4, 8, 12, 16, 20});
  CHECK(numbers(x(1, ellipsis, -1)) == list{15, 19, 23});
  // For no axes, too, it stands between arrays, whose axes then come first.
  const auto m = x[0];
  CHECK(type_text(m(newaxis, tensor{0}, ellipsis, tensor{1, 2})) == "int64[2,1]");
  CHECK(type_text(m(newaxis, tensor{0}, tensor{1, 2})) == "int64[1,2]");
  CHECK(type_text(x[ellipsis]) == "int64[2,3,4]");
  CHECK(type_text(x(newaxis, ellipsis, newaxis)) == "int64[1,2,3,4,1]");
  CHECK(TROUPE_ERROR_OF(x(ellipsis, 0, ellipsis)) == "index: an ellipsis may stand only once");
  CHECK(TROUPE_ERROR_OF(x(0, 0, ellipsis, 0, 0)) == "index: 4 indices for int64[2,3,4]");
}

TEST_CASE("tensors of positions pick elements, broadcast together") {
  test_engine e;
  const auto x = arange(12).reshape({3, 4});
  CHECK(numbers(x[tensor{2, 0}]) == list{8, 9, 10, 11, 0, 1, 2, 3});
  CHECK(numbers(x(every, tensor{-1})) == list{3, 7, 11});
  CHECK(numbers(x(tensor{0, 2}, tensor{1, -1})) == list{1, 11});
  CHECK(numbers(x(tensor{{0}, {2}}, tensor{1, 3})) == list{1, 3, 9, 11});
  CHECK(numbers(x(range{1, 3}, tensor{0, 0})) == list{4, 4, 8, 8});
  const auto y = arange(24).reshape({2, 3, 4});
  CHECK(type_text(y(tensor{0, 1, 1}, every, tensor{1, 2, 3})) == "int64[3,3]");
  CHECK(numbers(y(tensor{0, 1}, every, tensor{1, 2})) == list{1, 5, 9, 14, 18, 22});
  // A position between counts as one of them, as in NumPy.
  CHECK(type_text(y(0, every, tensor{{1, 2}})) == "int64[1,2,3]");
  CHECK(type_text(y(every, 0, tensor{{1, 2}})) == "int64[2,1,2]");
}

TEST_CASE("masks pick what is true where they are") {
  test_engine e;
  const tensor x = {{1, -2, 3}, {-4, 5, -6}};
  CHECK(numbers(x[x > 0]) == list{1, 3, 5});
  CHECK(numbers(x[tensor{false, true}]) == list{-4, 5, -6});
  CHECK(numbers(x(every, tensor{true, false, true})) == list{1, 3, -4, -6});
  CHECK(numbers(x(tensor{true, true}, tensor{0, 2})) == list{1, -6});
  CHECK(type_text(x[x > 9]) == "int64[0]");
  CHECK(type_text(zeros({0, 3})[ones({0, 3}, boolean)]) == "float32[0]");
  CHECK(TROUPE_ERROR_OF(x[tensor{true, false, true}]) ==
        "index: the mask has another size than axis 0: bool[3] and int64[2,3]");
  CHECK(TROUPE_ERROR_OF(x[ones({2})]) ==
        "index: neither positions nor a mask: float32[2] and int64[2,3]");
  CHECK(TROUPE_ERROR_OF(x(tensor{0, 1}, tensor{0, 1, 2})) ==
        "index: the indices do not broadcast: int64[2] and int64[3]");
}

TEST_CASE("a position out of bounds fails what is picked, naming the axis") {
  test_engine e;
  const auto x = arange(12).reshape({3, 4});
  const auto bad = x(tensor{0, 1}, tensor{1, 4});
  CHECK_THROWS_WITH(bad.wait(), Catch::Contains("index 4 is out of bounds for axis 1 with size 4"));
  CHECK_THROWS_WITH(x.at(tensor{3}).set(0).wait(),
                    Catch::Contains("index 3 is out of bounds for axis 0 with size 3"));
}

TEST_CASE("assigning to a part gives the variable other elements, and nobody else") {
  test_engine e;
  auto x = arange(6).reshape({2, 3});
  const auto before = x;
  const auto row = x[1];
  x.at(1) = 7;
  CHECK(numbers(x) == list{0, 1, 2, 7, 7, 7});
  CHECK(numbers(before) == list{0, 1, 2, 3, 4, 5});
  CHECK(numbers(row) == list{3, 4, 5});
  x.at(every, range{1, 3}) = tensor{{1, 2}, {3, 4}};
  CHECK(numbers(x) == list{0, 1, 2, 7, 3, 4});
  x.at(0, range{.step = -1}) = tensor{10, 20, 30};
  CHECK(numbers(x) == list{30, 20, 10, 7, 3, 4});
  x.at(0) = x[1];
  CHECK(numbers(x) == list{7, 3, 4, 7, 3, 4});
  x.at(1) += 1;
  x.at(every, 0) *= tensor{2, 3};
  CHECK(numbers(x) == list{14, 3, 4, 24, 4, 5});
  x.at(every) = 5;
  CHECK(numbers(x) == list{5, 5, 5, 5, 5, 5});
  x.at(1, 1) = tensor{{8}};  // axes of size 1 may be too many
  CHECK(numbers(x) == list{5, 5, 5, 5, 8, 5});
  auto turned = arange(6).reshape({2, 3}).T();
  turned.at(0) = 9;
  CHECK(numbers(turned) == list{9, 9, 1, 4, 2, 5});
}

TEST_CASE("assigning by positions and masks keeps the last of what is named twice") {
  test_engine e;
  auto x = zeros({4}, int64);
  x.at(tensor{1, 3, 1}) = tensor{5, 6, 7};
  CHECK(numbers(x) == list{0, 7, 0, 6});
  x.at(x > 6) = -1;
  CHECK(numbers(x) == list{0, -1, 0, 6});
  x.at(x == 0) = tensor{8, 9};
  CHECK(numbers(x) == list{8, -1, 9, 6});
  auto y = zeros({2, 3, 4}, int32);
  y.at(tensor{0, 1}, every, tensor{1, 2}) = 1;
  CHECK(numbers(y.sum({1, 2})) == list{3, 3});
  CHECK(numbers(y(1, every, 2)) == list{1, 1, 1});
  // The range stands between what picks: as in NumPy, what is picked then comes first.
  y.at(0, range{1, 3}, tensor{0, 3}) += tensor{10, 20};
  CHECK(numbers(y[0]) == list{0, 1, 0, 0, 10, 1, 0, 10, 20, 1, 0, 20});
}

TEST_CASE("updates at positions see every element that is put there") {
  test_engine e;
  const auto x = ones({3}, float64);
  const tensor places = {0, 2, 0}, given = {2., 3., 5.};
  CHECK(numbers(x.at(places).add(given)) == list{8, 1, 4});
  CHECK(numbers(x.at(places).mul(given)) == list{10, 1, 3});
  CHECK(numbers(x.at(places).max(given)) == list{5, 1, 3});
  CHECK(numbers(x.at(places).min(-given)) == list{-5, 1, -3});
  CHECK(numbers(x.at(places).set(given)) == list{5, 1, 3});
  CHECK(numbers(x.at(range{1, 3}).add(4)) == list{1, 5, 5});
  CHECK(numbers(x.at(x > 0).mul(3)) == list{3, 3, 3});
  CHECK(numbers(x.at(places).get()) == list{1, 1, 1});
  CHECK(numbers(x) == list{1, 1, 1});
  // Many rows, shared out by their places.
  const auto rows = remainder(arange(30000) * 7919, 1000);
  const auto sums = zeros({1000, 20}).at(rows).add(ones({30000, 20}));
  CHECK(sums.min().item<float>() == 30);
  CHECK(sums.max().item<float>() == 30);
}

TEST_CASE("elements that are assigned keep what they are, or are refused") {
  test_engine e;
  auto x = zeros({2, 3}, int32);
  CHECK(TROUPE_ERROR_OF(x.at(0) = 1.5) == "index: 1.5 is no element of int32[2,3]");
  CHECK(TROUPE_ERROR_OF(x.at(0) = ones({3})) ==
        "index: its elements would be converted; say how with astype: float32[3] and int32[2,3]");
  CHECK(TROUPE_ERROR_OF(x.at(0) = arange(2)) ==
        "index: does not broadcast to the part: int32[2] and int32[3]");
  CHECK(TROUPE_ERROR_OF(x.at(2) = 1) == "index: 2 is out of range for axis 0 of int32[2,3]");
  CHECK(TROUPE_ERROR_OF(x.at(0) = std::int64_t{1} << 40) ==
        "index: 1099511627776 does not fit int32");
  CHECK(TROUPE_ERROR_OF(x.at(0) = tensor()) == "index: input 1 names no array yet");
  CHECK(numbers(x) == list(6, 0.0));
  x.at(0) = arange(3);
  CHECK(type_text(x) == "int32[2,3]");
  auto y = zeros({2}, float16);
  y.at(0) = tensor{1.5, 2.5}[1];
  CHECK(numbers(y) == list{2.5, 0});
  auto z = zeros({2}, boolean);
  CHECK(TROUPE_ERROR_OF(z.at(0) = 1.0) == "index: 1 is no element of bool[2]");
  z.at(0) = true;
  CHECK(numbers(z) == list{1, 0});
}

TEST_CASE("a complex array takes real numbers and elements, a real one no complex elements") {
  test_engine e;
  for (const auto type : {complex64, complex128}) {
    CAPTURE(name(type));
    auto x = zeros({4}, type);
    x.at(0) = 2.5;
    x.at(1) = ones({});
    x.at(x == 0) = 3;
    x.at(3) += -1.5;
    CHECK(x.dtype() == type);
    CHECK(numbers(real(x)) == list{2.5, 1, 3, 1.5});
    CHECK(numbers(imag(x)) == list(4, 0.0));
    CHECK(numbers(real(x.at(0).set(1.0))) == list{1, 1, 3, 1.5});
    const auto given = x;
    for (const auto narrower : {float32, int64}) {
      auto y = zeros({4}, narrower);
      CHECK(TROUPE_ERROR_OF(y.at(every) = given) ==
            "index: its elements would be converted; say how with astype: " + type_text(given) +
                " and " + type_text(y));
    }
  }
}

TEST_CASE("an array of integers takes a real number that has no fraction and is in range") {
  test_engine e;
  auto x = zeros({3}, int32);
  x.at(0) = -4.0;
  x = x.at(1).add(3.0);
  x.at(x == 0) = std::complex<double>(7, 0);
  CHECK(numbers(x) == list{-4, 3, 7});
  CHECK(TROUPE_ERROR_OF(x.at(0) = std::complex<double>(1.5, 0)) ==
        "index: 1.5+0j is no element of int32[3]");
  CHECK(TROUPE_ERROR_OF(x.at(0) = 0x1p31) == "index: 2147483648 does not fit int32");
  CHECK(TROUPE_ERROR_OF(x.at(0) = std::nan("")) == "index: nan does not fit int32");
  CHECK(numbers(x) == list{-4, 3, 7});
}

TEST_CASE("gradients flow through parts that are assigned") {
  test_engine e;
  const auto f = [](const tensor& x) {
    auto y = x * 1;
    y.at(0) = x[1] * x[1];
    y.at(range{2, 4}) *= 3;
    y.at(tensor{4, 4}) += x(range{0, 2});
    return sum(y * y);
  };
  const tensor x = {1., 2., 3., 4., 5.};
  // y = (x1^2, x1, 3 x2, 3 x3, x4 + x1), the last of two sums is kept.
  CHECK(numbers(grad(f)(x)) == list{0, 4 * 8 + 4 + 2 * 7, 18 * 3, 18 * 4, 14});
}

TEST_CASE("what is assigned to needs not be known") {
  test_engine e;
  // Neither waits for how many elements the mask selects, nor reads them.
  const auto f = compile([](const tensor& x) {
    auto y = x * 2;
    y.at(y > 4) = 0;
    y.at(0) = -y[1];
    return y[1];
  });
  CHECK(numbers(f(tensor{{1., 2., 3.}, {4., 5., 1.}})) == list{0, 0, 2});
  CHECK_THROWS_WITH(compile([](const tensor& x) { return x[x > 0]; })(ones({2})),
                    Catch::StartsWith("index: not known while the function is captured"));
}

TEST_CASE("several masks without axes add one axis, with one position or none") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  const tensor yes(true), no(false);
  CHECK(type_text(x(yes, yes)) == "int64[1,2,3]");
  CHECK(type_text(x(yes, no)) == "int64[0,2,3]");
  CHECK(numbers(x(yes, yes)) == std::vector<double>{0, 1, 2, 3, 4, 5});
  CHECK(numbers(x(yes, tensor{1, -2})) == std::vector<double>{3, 4, 5, 0, 1, 2});
  CHECK(type_text(x(no, tensor{1})) == "int64[0,3]");
  CHECK(numbers(x.at(yes, yes).add(1)) == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(numbers(x.at(yes, no).add(1)) == std::vector<double>{0, 1, 2, 3, 4, 5});
}

}  // namespace troupe::testing
