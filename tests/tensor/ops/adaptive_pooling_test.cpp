// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/adaptive_pooling.hpp"

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("adaptive pools share images out evenly, as PyTorch's") {
  const test_engine e;
  using list = std::vector<double>;
  const auto row = arange(5, float64).reshape({1, 5});
  CHECK(numbers(adaptive_avg_pool2d(row, 1)) == list{2});
  CHECK(numbers(adaptive_avg_pool2d(row, {1, 2})) == list{1, 3});
  CHECK(numbers(adaptive_avg_pool2d(row, {1, 3})) == list{0.5, 2, 3.5});
  CHECK(numbers(adaptive_avg_pool2d(row, {2, 7})) ==
        list{0, 0.5, 1.5, 2, 2.5, 3.5, 4, 0, 0.5, 1.5, 2, 2.5, 3.5, 4});
  CHECK(numbers(adaptive_avg_pool2d(row.T(), {3, 1})) == list{0.5, 2, 3.5});
  const auto images = normal({2, 3, 8, 6}, 0, 1, {.dtype = float64});
  const auto same = avg_pool2d(images, {.size = {2, 3}});
  CHECK(max(abs(adaptive_avg_pool2d(images, {4, 2}) - same)).item<double>() < 1e-15);
}

TEST_CASE("adaptive pools take any images, and gradients flow through them") {
  const test_engine e;
  CHECK(type_text(adaptive_avg_pool2d(ones({2, 3, 8, 9}), {4, 18})) == "float32[2,3,4,18]");
  CHECK(type_text(adaptive_avg_pool2d(ones({8, 9}, uint8), 3)) == "float64[3,3]");
  CHECK(type_text(adaptive_avg_pool2d(ones({8, 9}, float16), 1)) == "float16[1,1]");
  CHECK(type_text(adaptive_avg_pool2d(ones({0, 3, 4, 4}), 8)) == "float32[0,3,8,8]");
  const auto slope = grad([](const tensor& v) { return sum(adaptive_avg_pool2d(v, {1, 2})); });
  CHECK(numbers(slope(ones({2, 3}, float64))) ==
        std::vector<double>{0.25, 0.5, 0.25, 0.25, 0.5, 0.25});
}

TEST_CASE("adaptive pools refuse what is no image, and sizes below 1") {
  const test_engine e;
  CHECK(TROUPE_ERROR_OF(adaptive_avg_pool2d(ones({3}), 2)) ==
        "adaptive_avg_pool2d: no images [..., height, width]: float32[3]");
  CHECK(TROUPE_ERROR_OF(adaptive_avg_pool2d(ones({3, 0}), 2)) ==
        "adaptive_avg_pool2d: no images [..., height, width]: float32[3,0]");
  CHECK(TROUPE_ERROR_OF(adaptive_avg_pool2d(ones({3, 3}), {2, 0})) ==
        "adaptive_avg_pool2d: a size of 2 x 0");
}

}  // namespace troupe::testing
