// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/pooling.hpp"

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

tensor square_image() {
  return tensor{{1., 2., 3., 4.}, {5., 6., 7., 8.}, {9., 8., 7., 6.}, {5., 4., 3., 2.}}.reshape(
      {1, 1, 4, 4});
}

}  // namespace

TEST_CASE("pools have the shapes and elements that PyTorch documents") {
  test_engine e;
  const auto x = square_image();
  CHECK(numbers(max_pool2d(x, {2})) == std::vector<double>{6, 8, 9, 7});
  CHECK(numbers(avg_pool2d(x, {2})) == std::vector<double>{3.5, 5.5, 6.5, 4.5});
  CHECK(numbers(max_pool2d(x, {.size = 3, .stride = 1})) == std::vector<double>{9, 8, 9, 8});
  CHECK(numbers(max_pool2d(x, {.size = {1, 4}})) == std::vector<double>{4, 8, 9, 5});
  CHECK(type_text(max_pool2d(zeros({2, 3, 7, 8}), {.size = 3, .stride = {2, 3}, .padding = 1})) ==
        "float32[2,3,4,3]");
}

TEST_CASE("padding counts as zero in a mean and not at all in a maximum") {
  test_engine e;
  const auto x = full({1, 1, 2, 2}, -4., float64);
  CHECK(numbers(avg_pool2d(x, {.size = 2, .stride = 2, .padding = 1})) ==
        std::vector<double>{-1, -1, -1, -1});
  CHECK(numbers(max_pool2d(x, {.size = 2, .stride = 2, .padding = 1})) ==
        std::vector<double>{-4, -4, -4, -4});
}

TEST_CASE("the gradient of a maximum goes to the first of several equal ones") {
  test_engine e;
  const auto g = grad([](const tensor& x) { return sum(max_pool2d(x, {2})); });
  CHECK(numbers(g(ones({1, 1, 2, 4}, float64))) == std::vector<double>{1, 0, 1, 0, 0, 0, 0, 0});
}

TEST_CASE("second derivatives flow through pools") {
  test_engine e;
  const auto x = square_image();
  const auto second = [&](tensor (*pool)(const tensor&, const pool2d_options&, caller)) {
    const auto energy = [=](const tensor& t) {
      const auto p = pool(t, {2}, caller::current());
      return sum(p * p * p);
    };
    const auto slopes = [=](const tensor& t) { return sum(grad(energy)(t)); };
    return numbers(grad(slopes)(x));
  };
  // For the greatest, m: 3 m^2, whose derivative is 6 m.
  CHECK(second(max_pool2d) ==
        std::vector<double>{0, 0, 0, 0, 0, 36, 0, 48, 54, 0, 42, 0, 0, 0, 0, 0});
  // For a mean, m: 3 m^2 for all four elements together, whose derivative is 6 m / 4.
  CHECK(second(avg_pool2d) == std::vector<double>{5.25, 5.25, 8.25, 8.25, 5.25, 5.25, 8.25, 8.25,
                                                  9.75, 9.75, 6.75, 6.75, 9.75, 9.75, 6.75, 6.75});
}

TEST_CASE("pools that do not fit are refused at the call") {
  test_engine e;
  const auto x = zeros({2, 3, 5, 5});
  const std::string of = ": float32[2,3,5,5]";
  CHECK(TROUPE_ERROR_OF(max_pool2d(x[0], {2})) == "max_pool2d: not four axes: float32[3,5,5]");
  CHECK(TROUPE_ERROR_OF(avg_pool2d(x.astype(int64), {2})) ==
        "avg_pool2d: not of floating numbers: int64[2,3,5,5]");
  CHECK(TROUPE_ERROR_OF(max_pool2d(x, {})) == "max_pool2d: windows of size 0" + of);
  CHECK(TROUPE_ERROR_OF(max_pool2d(x, {.size = {2, -1}})) == "max_pool2d: windows of size -1" + of);
  CHECK(TROUPE_ERROR_OF(max_pool2d(x, {.size = 2, .stride = 0})) ==
        "max_pool2d: a stride of 0" + of);
  CHECK(TROUPE_ERROR_OF(avg_pool2d(x, {.size = 2, .padding = 2})) ==
        "avg_pool2d: a padding of 2 for windows of 2" + of);
  CHECK(TROUPE_ERROR_OF(avg_pool2d(x, {.size = 2, .padding = -1})) ==
        "avg_pool2d: a padding of -1 for windows of 2" + of);
  CHECK(TROUPE_ERROR_OF(max_pool2d(x, {6})) ==
        "max_pool2d: the windows are larger than the padded image" + of);
  CHECK(TROUPE_ERROR_OF(max_pool2d(x, {std::int64_t{1} << 31})) ==
        "max_pool2d: the windows are larger than the padded image" + of);
  CHECK(TROUPE_ERROR_OF(max_pool2d(x, {std::int64_t{1} << 62})) ==
        "max_pool2d: windows of size 4611686018427387904" + of);
  CHECK(TROUPE_ERROR_OF(avg_pool2d(zeros({1, 1, 0, 4}), {.size = 2, .padding = 1})) ==
        "avg_pool2d: images without pixels: float32[1,1,0,4]");
  CHECK(TROUPE_ERROR_OF(max_pool2d(tensor{}, {2})) == "max_pool2d: the input names no array yet");
  const auto images = zeros({1, 1, 4, 4}), few = zeros({1, 1, 3, 2});
  const std::string both = ": float32[1,1,4,4] and float32[1,1,3,2]";
  CHECK(TROUPE_ERROR_OF(max_pool2d_gradient(images, few, {2})) ==
        "max_pool2d_gradient: the second is to be [1,1,2,2]" + both);
  CHECK(TROUPE_ERROR_OF(max_pool2d_pick(images, few, {2})) ==
        "max_pool2d_pick: the second is to be [1,1,4,4]" + both);
  const auto wide = zeros({1, 1, 2, 2}, {.dtype = float64});
  CHECK(TROUPE_ERROR_OF(max_pool2d_gradient(images, wide, {2})) ==
        "max_pool2d_gradient: different dtypes: float32[1,1,4,4] and float64[1,1,2,2]");
  CHECK(TROUPE_ERROR_OF(avg_pool2d_gradient(few, 4, {2})) ==
        "avg_pool2d_gradient: images of this size give [1,1,2,2]: float32[1,1,3,2]");
  CHECK(TROUPE_ERROR_OF(avg_pool2d_gradient(few, {-4, 4}, {2})) ==
        "avg_pool2d_gradient: not four axes, or an image of negative size: float32[1,1,3,2]");
}

}  // namespace troupe::testing
