// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/standard_names.hpp"

#include <cmath>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/array_api_info.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("functions have the names of the array API standard") {
  test_engine e;
  const tensor x = {0.25, 0.5}, y = {2., 3.};
  CHECK(numbers(acos(x)) == numbers(arccos(x)));
  CHECK(numbers(acosh(y)) == numbers(arccosh(y)));
  CHECK(numbers(asin(x)) == numbers(arcsin(x)));
  CHECK(numbers(asinh(x)) == numbers(arcsinh(x)));
  CHECK(numbers(atan(x)) == numbers(arctan(x)));
  CHECK(numbers(atanh(x)) == numbers(arctanh(x)));
  CHECK(numbers(atan2(x, y)) == numbers(arctan2(x, y)));
  CHECK(numbers(atan2(1.0, y)) == numbers(arctan2(1.0, y)));
  CHECK(numbers(pow(x, y)) == numbers(power(x, y)));
  CHECK(numbers(pow(x, 2)) == numbers(x * x));
  CHECK(numbers(pow(2.0, y)) == list{4, 8});
  CHECK(numbers(bitwise_invert(tensor{1, 2})) == list{-2, -3});
  CHECK(numbers(concat({x, y})) == list{0.25, 0.5, 2, 3});
  CHECK(permute_dims(zeros({2, 3, 4}), {2, 0, 1}).shape() == shape{4, 2, 3});
  CHECK(numbers(unique_values(tensor{3, 1, 3})) == list{1, 3});
  CHECK(numbers(to_device(x, cpu())) == numbers(x));
  CHECK(asarray(x).source() == x.source());
  CHECK(type_text(asarray(x, {.dtype = float32, .device = cpu()})) == "float32[2]");
  CHECK(zeros({5, 2, 3}).mT().shape() == shape{5, 3, 2});
  CHECK(std::isnan(constants::nan));
  CHECK(constants::inf > constants::pi);
  CHECK(std::log(constants::e) == 1);
  CHECK(TROUPE_ERROR_OF(acos(tensor{})) == "arccos: the input names no array yet");
}

TEST_CASE("broadcast_shapes gives the shape that all broadcast to") {
  CHECK(broadcast_shapes({{2, 1}, {3}, {1, 1, 1}}) == shape{1, 2, 3});
  CHECK(broadcast_shapes({}) == shape{});
  CHECK(broadcast_shapes({{0, 1}, {5}}) == shape{0, 5});
  CHECK(TROUPE_ERROR_OF(broadcast_shapes({{2}, {1}, {3}})) ==
        "broadcast_shapes: shapes do not broadcast: [2], [1], [3]");
  const auto many = std::int64_t{1} << 32;
  CHECK(TROUPE_ERROR_OF(broadcast_shapes({{many, 1}, {1, many}})) ==
        "broadcast_shapes: more elements than can be counted: [4294967296,1], [1,4294967296]");
}

TEST_CASE("cumulative sums and products may begin with what nothing adds up to") {
  test_engine e;
  const tensor x = {{1, 2}, {3, 4}};
  CHECK(numbers(cumulative_sum(x, 1)) == list{1, 3, 3, 7});
  CHECK(numbers(cumulative_sum(x, 0, {.include_initial = true})) == list{0, 0, 1, 2, 4, 6});
  CHECK(numbers(cumulative_prod(x, -1, {.include_initial = true})) == list{1, 1, 2, 1, 3, 12});
  CHECK(type_text(cumulative_sum(x, 1, {.element = uint8, .include_initial = true})) ==
        "uint8[2,3]");
  CHECK(numbers(cumulative_prod(tensor{2, 3})) == list{2, 6});
  CHECK(numbers(cumulative_sum(zeros({0}), {}, {.include_initial = true})) == list{0});
  CHECK(TROUPE_ERROR_OF(cumulative_sum(x)) == "cumulative_sum: an axis is needed for int64[2,2]");
  CHECK(TROUPE_ERROR_OF(cumulative_prod(x, 2)) ==
        "cumulative_prod: axis 2 is out of range for int64[2,2]");
  const auto f = [](const tensor& v) { return cumulative_prod(v, 1, {.include_initial = true}); };
  check_gradient(f, distinct({2, 3}));
  check_gradient(
      [&](const tensor& v) { return grad([&](const tensor& w) { return sum(sin(f(w))); })(v); },
      distinct({2, 3}));
}

TEST_CASE("array_api_info says what the library has") {
  test_engine e;
  constexpr auto has = array_api_info::capabilities();
  CHECK((has.boolean_indexing && has.data_dependent_shapes && has.max_dimensions == max_rank));
  constexpr auto defaults = array_api_info::default_dtypes();
  CHECK(zeros({2}).dtype() == defaults.real_floating);
  CHECK(arange(2).dtype() == defaults.integral);
  CHECK(argmax(zeros({2})).dtype() == defaults.indexing);
  CHECK(complex(zeros({2}), zeros({2})).dtype() == defaults.complex_floating);
  CHECK(array_api_info::dtypes().size() == static_cast<std::size_t>(dtype_count));
  const auto complex_ones = array_api_info::dtypes("complex floating");
  REQUIRE(complex_ones.size() == 2);
  CHECK(complex_ones[0].first == "complex64");
  CHECK(TROUPE_ERROR_OF(array_api_info::dtypes("odd")) == "isdtype: \"odd\" is no kind of dtypes");
  CHECK(array_api_info::default_device() == cpu());
  CHECK(array_api_info::devices().at(0) == cpu());
}

}  // namespace troupe::testing
