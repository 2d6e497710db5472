// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/creation.hpp"

#include <cmath>

#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("zeros, ones and full fill a shape, with float32 by default") {
  test_engine e;
  CHECK(type_text(zeros({2, 3})) == "float32[2,3]");
  CHECK(numbers(ones({2})) == std::vector<double>{1, 1});
  CHECK(type_text(full({2}, 1.5)) == "float32[2]");
  CHECK(type_text(full({2}, 7)) == "int64[2]");
  CHECK(type_text(full({2}, true)) == "bool[2]");
  CHECK(numbers(full({2}, 1.9, int32)) == std::vector<double>{1, 1});
  CHECK(full({}, INT64_MAX).item<std::int64_t>() == INT64_MAX);
  CHECK(type_text(zeros({0, 2}, int64)) == "int64[0,2]");
}

TEST_CASE("arange and linspace count as NumPy does") {
  test_engine e;
  CHECK(numbers(arange(4)) == std::vector<double>{0, 1, 2, 3});
  CHECK(arange(4).dtype() == int64);
  CHECK(numbers(arange(5, 0, -2)) == std::vector<double>{5, 3, 1});
  CHECK(numbers(arange(7, -1, -1, uint8)) == std::vector<double>{7, 6, 5, 4, 3, 2, 1, 0});
  CHECK(TROUPE_ERROR_OF(arange(7, -3, -1, uint8)) == "arange: -2 does not fit uint8");
  CHECK(type_text(arange(3, 3)) == "int64[0]");
  CHECK(type_text(arange(0, 1, 0.25)) == "float32[4]");
  CHECK(numbers(arange(0, 1, 0.25)) == std::vector<double>{0, 0.25, 0.5, 0.75});
  CHECK(type_text(arange(3, float64)) == "float64[3]");
  CHECK(numbers(linspace(0, 1, 5)) == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  CHECK(numbers(linspace(3, 9, 1)) == std::vector<double>{3});
  CHECK(type_text(linspace(0, 1, 0)) == "float32[0]");
}

TEST_CASE("logspace and geomspace go in multiples, and geomspace ends where it is told to") {
  test_engine e;
  using list = std::vector<double>;
  CHECK(numbers(logspace(0, 3, 4)) == list{1, 10, 100, 1000});
  CHECK(numbers(logspace(0, 3, 3, 2, {.endpoint = false})) == list{1, 2, 4});
  CHECK(type_text(logspace(0, 1, 2, 10, {.dtype = float64})) == "float64[2]");
  CHECK(numbers(geomspace(1, 1000, 4)) == list{1, 10, 100, 1000});
  CHECK(numbers(geomspace(-8, -1, 4)) == list{-8, -4, -2, -1});
  CHECK(numbers(geomspace(1, 8, 3, {.endpoint = false})) == list{1, 2, 4});
  const auto ends = numbers(geomspace(0.1, 0.7, 9, {.dtype = float64}));
  CHECK(ends.front() == 0.1);
  CHECK(ends.back() == 0.7);
  CHECK(numbers(geomspace(5, 7, 1)) == list{5});
  CHECK(numbers(geomspace(1, 1000, 4, {.dtype = int64})) == list{1, 10, 100, 1000});
  CHECK(numbers(geomspace(1e-300, 1e300, 3, {.dtype = float64})) == list{1e-300, 1, 1e300});
  CHECK(geomspace(5, 7, 0).size() == 0);
  CHECK(TROUPE_ERROR_OF(geomspace(-1, 8)) == "geomspace: no multiples lead from -1 to 8");
  CHECK(TROUPE_ERROR_OF(geomspace(0, 8)) == "geomspace: no multiples lead from 0 to 8");
  CHECK(TROUPE_ERROR_OF(geomspace(1, 8, -1)) == "geomspace: negative count -1");
  CHECK(TROUPE_ERROR_OF(logspace(1, 8, -1)) == "logspace: negative count -1");
}

TEST_CASE("linspace leaves out the stop where it is asked to") {
  test_engine e;
  CHECK(numbers(linspace(0, 1, 4, {.endpoint = false})) == std::vector<double>{0, 0.25, 0.5, 0.75});
  CHECK(numbers(linspace(2, 3, 1, {.endpoint = false})) == std::vector<double>{2});
  CHECK(type_text(linspace(0, 1, 0, {.endpoint = false})) == "float32[0]");
  CHECK(numbers(linspace(0, 10, 4, {.dtype = int32, .endpoint = false})) ==
        std::vector<double>{0, 2, 5, 7});
  CHECK(type_text(linspace(0, 1, 2, {.dtype = complex64, .endpoint = false})) == "complex64[2]");
}

TEST_CASE("empty arrays have a type, and elements that depend on nothing") {
  test_engine e;
  CHECK(type_text(empty({2, 3}, {.dtype = int16})) == "int16[2,3]");
  CHECK(type_text(empty_like(ones({2}, float64))) == "float64[2]");
  CHECK(numbers(empty({2})) == std::vector<double>{0, 0});
}

TEST_CASE("eye puts ones on a diagonal") {
  test_engine e;
  CHECK(numbers(eye(2)) == std::vector<double>{1, 0, 0, 1});
  CHECK(numbers(eye(2, 3, 1)) == std::vector<double>{0, 1, 0, 0, 0, 1});
  CHECK(type_text(eye(2, float64)) == "float64[2,2]");
}

TEST_CASE("new tensors go to the thread's default device, or to the device in the options") {
  test_engine e;
  CHECK(zeros({1}).device() == cpu(0));
  CHECK(zeros({1}, {.device = cpu(1)}).device() == cpu(1));
  {
    on_device guard(cpu(1));
    CHECK(zeros({1}).device() == cpu(1));
    CHECK(tensor{1.0, 2.0}.device() == cpu(1));
    CHECK(uniform({1}).device() == cpu(1));
  }
  CHECK(zeros({1}).device() == cpu(0));
}

TEST_CASE("nested lists of numbers become tensors") {
  test_engine e;
  const tensor x = {{1., 2.}, {3., 4.}};
  CHECK(type_text(x) == "float64[2,2]");
  CHECK(numbers(x) == std::vector<double>{1, 2, 3, 4});
  CHECK(type_text(tensor{1, 2, 3}) == "int64[3]");
  CHECK(type_text(tensor{1.f, 2.f}) == "float32[2]");
  CHECK(type_text(tensor{true, false}) == "bool[2]");
  CHECK(type_text(tensor{1, 2.5}) == "float64[2]");
  CHECK(type_text(tensor({{1, 2}, {3, 4}}, float32)) == "float32[2,2]");
  CHECK(type_text(tensor({{{1}, {2}}}, {.dtype = int32, .device = cpu(1)})) == "int32[1,2,1]");
  CHECK(TROUPE_ERROR_OF(tensor{{1, 2}, {3}}) == "tensor: rows of different lengths: 2 and 1");
  CHECK(TROUPE_ERROR_OF(tensor{{1, 2}, 3}) == "tensor: a number where others have a list");
  CHECK(TROUPE_ERROR_OF(tensor{1, {2, 3}}) == "tensor: a list where others have a number");
}

TEST_CASE("data is copied at the call, and the tensor is ready at once") {
  test_engine e;
  std::vector<float> data = {1, 2, 3, 4};
  const auto x = from_data(data, {2, 2});
  data[0] = 9;
  CHECK(x.ready());
  CHECK(numbers(x) == std::vector<double>{1, 2, 3, 4});
  CHECK(type_text(from_data(std::span(data))) == "float32[4]");
  CHECK(type_text(from_data(data.data(), {4, 1})) == "float32[4,1]");
  CHECK(numbers(from_data(std::vector<double>{1.7, -1.7}, {2}, {.dtype = int32})) ==
        std::vector<double>{1, -1});
  CHECK(from_data(data, {4}, {.device = cpu(1)}).device() == cpu(1));
  CHECK(type_text(from_data(std::vector<int>{}, {0, 3})) == "int32[0,3]");
  CHECK(TROUPE_ERROR_OF(from_data(data, {2, 3})) ==
        "from_data: 4 elements do not fill float32[2,3]");
}

TEST_CASE("random numbers depend only on the seed and the order of the calls") {
  test_engine e;
  seed(7);
  const auto a = numbers(uniform({5})), b = numbers(normal({5}));
  seed(7);
  CHECK(numbers(uniform({5})) == a);
  CHECK(numbers(normal({5})) == b);
  CHECK(numbers(uniform({5})) != a);
  seed(8);
  CHECK(numbers(uniform({5})) != a);
}

TEST_CASE("random numbers have the distribution asked for") {
  test_engine e;
  seed(1);
  const auto u = uniform({10000}, -1, 3), n = normal({10000}, 5, 2, float64),
             i = randint({10000}, -2, 3);
  CHECK(u.min().item<double>() >= -1);
  CHECK(u.max().item<double>() < 3);
  CHECK(u.mean().item<double>() == Approx(1).margin(0.1));
  CHECK(n.dtype() == float64);
  CHECK(n.mean().item<double>() == Approx(5).margin(0.1));
  CHECK(n.stddev().item<double>() == Approx(2).margin(0.1));
  CHECK(i.dtype() == int64);
  CHECK(i.min().item<int>() == -2);
  CHECK(i.max().item<int>() == 2);
}

TEST_CASE("mistakes in creation are refused at the user's line") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(zeros({2, -1})) == "shape: negative size -1 in [2,-1]");
  CHECK(TROUPE_ERROR_OF(zeros({1, 1, 1, 1, 1, 1, 1, 1, 1})) ==
        "shape: [1,1,1,1,1,1,1,1,1] has 9 axes; at most 8 are possible");
  CHECK(TROUPE_ERROR_OF(zeros({2}, {.device = cpu(5)})) ==
        "zeros: there is no device cpu:5; this runtime has cpu:0, cpu:1");
  CHECK(TROUPE_ERROR_OF(full({2}, 3000000000, int32)) == "full: 3000000000 does not fit int32");
  CHECK(TROUPE_ERROR_OF(arange(0, 5, 0)) == "arange: the step is 0");
  CHECK(TROUPE_ERROR_OF(arange(0, 5, boolean)) == "arange: there is no range of bool");
  CHECK(TROUPE_ERROR_OF(linspace(0, 1, -2)) == "linspace: negative count -2");
  CHECK(TROUPE_ERROR_OF(eye(-1)) == "eye: negative size -1");
  CHECK(TROUPE_ERROR_OF(normal({2}, 0, -1)) == "normal: negative standard deviation -1");
  CHECK(TROUPE_ERROR_OF(uniform({2}, int32)) == "uniform: real numbers have no dtype int32");
  CHECK(TROUPE_ERROR_OF(randint({2}, 5, 5)) == "randint: there are no integers from 5 up to 5");
}

TEST_CASE("real random numbers are refused unless their parameters are finite and in order") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(uniform({3}, 0, NAN)) ==
        "uniform: the upper bound is nan, not a finite float32");
  CHECK(TROUPE_ERROR_OF(uniform({3}, -INFINITY, 0, float64)) ==
        "uniform: the lower bound is -inf, not a finite float64");
  CHECK(TROUPE_ERROR_OF(uniform({3}, 0, 1e300)) ==
        "uniform: the upper bound is 1e+300, not a finite float32");
  CHECK(TROUPE_ERROR_OF(uniform({3}, 0, 1e5, float16)) ==
        "uniform: the upper bound is 1e+05, not a finite float16");
  CHECK(TROUPE_ERROR_OF(uniform({3}, 1, 0)) == "uniform: there are no numbers from 1 to 0");
  CHECK(TROUPE_ERROR_OF(normal({2}, NAN, 1)) == "normal: the mean is nan, not a finite float32");
  CHECK(TROUPE_ERROR_OF(normal({2}, 0, 1e5, float16)) ==
        "normal: the standard deviation is 1e+05, not a finite float16");
  CHECK(TROUPE_ERROR_OF(normal({2}, 0, NAN, float64)) ==
        "normal: the standard deviation is nan, not a finite float64");
}

TEST_CASE("uniform numbers spread over a range as wide as can be, and a wider one is refused") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(uniform({5}, -3e38, 3e38)) ==
        "uniform: the range from -3e+38 to 3e+38 is too wide for float32");
  CHECK(TROUPE_ERROR_OF(uniform({5}, -1e308, 1e308, float64)) ==
        "uniform: the range from -1e+308 to 1e+308 is too wide for float64");
  CHECK(TROUPE_ERROR_OF(uniform({5}, -3e38, 3e38, bfloat16)) ==
        "uniform: the range from -3e+38 to 3e+38 is too wide for bfloat16");
  for (const auto type : {float16, float32, float64}) {
    CAPTURE(name(type));
    const double most = type == float16 ? 65504 : type == float32 ? 1.7e38 : 8.9e307;
    const auto x = uniform({1000}, -most, most, type) / most;
    CHECK(x.min().item<double>() < -0.9);
    CHECK(x.max().item<double>() > 0.9);
    CHECK(abs(x.mean()).item<double>() < 0.1);
  }
  CHECK(numbers(uniform({2}, 3, 3)) == std::vector<double>{3, 3});
}

TEST_CASE("more elements than can be counted are refused at the user's line") {
  test_engine e;
  constexpr auto large = std::int64_t{1} << 40, most = std::int64_t{1} << 59;
  CHECK(TROUPE_ERROR_OF(zeros({large, large, large})) ==
        "shape: [1099511627776,1099511627776,1099511627776] has more elements than can be counted");
  CHECK(TROUPE_ERROR_OF(ones({most + 1})) ==
        "shape: [576460752303423489] has more elements than can be counted");
  CHECK(TROUPE_ERROR_OF(uniform({INT64_MAX})) ==
        "shape: [9223372036854775807] has more elements than can be counted");
  CHECK(TROUPE_ERROR_OF(zeros({0, large, large})) ==
        "shape: [0,1099511627776,1099511627776] has more elements than can be counted");
  CHECK(TROUPE_ERROR_OF(eye(large)) ==
        "shape: [1099511627776,1099511627776] has more elements than can be counted");
  CHECK(TROUPE_ERROR_OF(arange(1e18)) ==
        "arange: 0 to 1e+18 in steps of 1 has more elements than can be counted");
  CHECK(TROUPE_ERROR_OF(arange(0, 1, 1e-30)) ==
        "arange: 0 to 1 in steps of 1e-30 has more elements than can be counted");
  CHECK(TROUPE_ERROR_OF(arange(0, NAN)) ==
        "arange: 0 to nan in steps of 1 has more elements than can be counted");
  CHECK(TROUPE_ERROR_OF(arange(INT64_MIN, INT64_MAX)) ==
        "arange: -9223372036854775808 to 9223372036854775807 in steps of 1 has more elements than "
        "can be counted");
  CHECK(zeros({0, large, most / large}).size() == 0);
  CHECK(arange(INT64_MAX, INT64_MIN).size() == 0);
}

TEST_CASE("item is refused unless there is exactly one element") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  CHECK(x(1, range{2, 3}).item<int>() == 5);
  CHECK(TROUPE_ERROR_OF(x.item<int>()) == "item: int64[2,3] has 6 elements, not one");
  CHECK(TROUPE_ERROR_OF(x[0].item<int>()) == "item: int64[3] has 3 elements, not one");
  CHECK(TROUPE_ERROR_OF(zeros({0}).item<int>()) == "item: float32[0] has 0 elements, not one");
}

TEST_CASE("randint creates scalars and empty arrays, and refuses bounds that no dtype holds") {
  test_engine e;
  CHECK(type_text(randint({}, 5, 6)) == "int64[]");
  CHECK(randint({}, 5, 6).item<int>() == 5);
  CHECK(type_text(randint({}, 0, 2, int32)) == "int32[]");
  CHECK(type_text(randint({0, 3}, 0, 2)) == "int64[0,3]");
  CHECK(numbers(randint({0, 3}, 0, 2)).empty());
  CHECK(type_text(randint({4}, 0, 2, boolean)) == "bool[4]");
  CHECK(numbers(randint({2}, 1, 2, boolean)) == std::vector<double>{1, 1});
  CHECK(numbers(mean(randint({1000}, 0, 2, boolean).astype(float64)))[0] ==
        Approx(0.5).margin(0.1));
  CHECK(TROUPE_ERROR_OF(randint({2}, 0, 3, boolean)) == "randint: integers have no dtype bool");
  CHECK(TROUPE_ERROR_OF(randint({}, 5, 4)) == "randint: there are no integers from 5 up to 4");
  CHECK(TROUPE_ERROR_OF(randint({0}, 5, 5)) == "randint: there are no integers from 5 up to 5");
  CHECK(TROUPE_ERROR_OF(randint({2}, 0, 2, float32)) == "randint: integers have no dtype float32");
  CHECK(TROUPE_ERROR_OF(randint({2}, 0, 3000000000, int32)) ==
        "randint: 2999999999 does not fit int32");
}

TEST_CASE("without a runtime no tensor can be created") {
  CHECK(TROUPE_ERROR_OF(zeros({2})) ==
        "zeros: no runtime is running; start one with `troupe::runtime rt;`");
}

TEST_CASE("zeros_like, ones_like and full_like take shape, dtype and device from a tensor") {
  test_engine e;
  const auto x = full({2, 1}, 3, {.dtype = int32, .device = cpu(1)});
  for (const auto& y : {zeros_like(x), ones_like(x), full_like(x, 1.9)}) {
    CHECK(type_text(y) == "int32[2,1]");
    CHECK(y.device() == cpu(1));
  }
  CHECK(numbers(zeros_like(x)) == std::vector<double>{0, 0});
  CHECK(numbers(ones_like(x)) == std::vector<double>{1, 1});
  CHECK(numbers(full_like(x, 1.9)) == std::vector<double>{1, 1});
  CHECK(type_text(zeros_like(x, float64)) == "float64[2,1]");
  CHECK(ones_like(x, {.device = cpu(0)}).device() == cpu(0));
  CHECK(type_text(full_like(full({}, 2.5, bfloat16), 7)) == "bfloat16[]");
  CHECK(numbers(full_like(x, 1.5, float32)) == std::vector<double>{1.5, 1.5});
  CHECK(type_text(ones_like(zeros({0, 2}).T())) == "float32[2,0]");
  CHECK(TROUPE_ERROR_OF(full_like(x, 3000000000)) == "full_like: 3000000000 does not fit int32");
  CHECK(TROUPE_ERROR_OF(zeros_like(tensor{})) == "zeros_like: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(ones_like(x, {.device = cpu(5)})) ==
        "ones_like: there is no device cpu:5; this runtime has cpu:0, cpu:1");
}

TEST_CASE("identity is square") {
  test_engine e;
  CHECK(numbers(identity(2)) == std::vector<double>{1, 0, 0, 1});
  CHECK(type_text(identity(2)) == "float32[2,2]");
  CHECK(type_text(identity(0, int32)) == "int32[0,0]");
  CHECK(TROUPE_ERROR_OF(identity(-2)) == "identity: negative size -2");
}

}  // namespace troupe::testing
