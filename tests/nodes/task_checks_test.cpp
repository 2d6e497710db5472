// SPDX-License-Identifier: MIT
#include "troupe/nodes/task_checks.hpp"

#include <catch2/catch.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/update.hpp"

using namespace troupe;

namespace {

sent_input array_of(dtype element, const shape& dims) {
  sent_input x;
  x.element = element;
  x.view = layout(dims);
  return x;
}

sent_input a_number(dtype element) {
  sent_input x;
  x.number = true;
  x.element = element;
  return x;
}

/// Returns true if a node takes a task with one result.
bool taken(std::string_view name, const std::vector<sent_input>& in, dtype element,
           const shape& dims, const attributes& given = {}) {
  sent_task one;
  one.operation = name;
  for (const auto& x : in) one.inputs.emplace_back(x);
  one.outputs.emplace_back(sent_output{0, element, dims});
  return problem_with(one, find_known(name), given).empty();
}

}  // namespace

TEST_CASE("a node takes numbers where operations take them, of the dtype that is computed in") {
  const auto halves = array_of(float16, {3}), small = array_of(int8, {3}),
             floats = array_of(float32, {3});
  CHECK(taken("add", {floats, a_number(float32)}, float32, {3}));
  CHECK(taken("add", {halves, a_number(float32)}, float16, {3}));
  CHECK(taken("add", {small, a_number(computed(int8))}, int8, {3}));
  CHECK_FALSE(taken("add", {floats, a_number(float64)}, float32, {3}));
  CHECK_FALSE(taken("add", {floats, a_number(complex128)}, complex128, {3}));
  CHECK(taken("clip", {floats, a_number(float32), a_number(float32)}, float32, {3}));
  CHECK_FALSE(taken("clip", {small, a_number(int32), a_number(float16)}, float16, {3}));
  CHECK(taken("where", {array_of(boolean, {3}), floats, a_number(float32)}, float32, {3}));
  CHECK_FALSE(taken("where", {small, floats, a_number(float32)}, float32, {3}));

  CHECK_FALSE(taken("sum", {a_number(float32)}, float32, {}, reduction_attributes{.axes = 0}));
  CHECK_FALSE(taken("take", {floats, a_number(int64)}, float32, {}, axis_attributes{0}));
  CHECK_FALSE(taken("replace_part", {floats, a_number(float32)}, float32, {3}));

  const update_attributes rate{.rate = 0.1};
  CHECK(taken("sgd", {floats, floats, a_number(float32)}, float32, {3}, rate));
  CHECK(taken("sgd", {halves, halves, a_number(float32)}, float16, {3}, rate));
  CHECK(taken("sgd", {floats, floats, array_of(float32, {})}, float32, {3}, rate));
  CHECK_FALSE(taken("sgd", {floats, floats, a_number(float64)}, float32, {3}, rate));
  CHECK_FALSE(taken("sgd", {floats, floats, array_of(boolean, {})}, float32, {3}, rate));
  CHECK_FALSE(taken("sgd", {floats, a_number(float32), a_number(float32)}, float32, {3}, rate));
}

TEST_CASE("a node turns away arrays of shapes that do not fit together") {
  const auto x = array_of(float32, {3, 4});
  const auto places = [](const shape& dims) { return array_of(int64, dims); };
  const along_axis_attributes along{1};
  CHECK(taken("take_along_axis", {x, places({3, 9})}, float32, {3, 9}, along));
  CHECK_FALSE(taken("take_along_axis", {x, places({9, 4})}, float32, {9, 4}, along));
  CHECK_FALSE(taken("take_along_axis", {x, places({4})}, float32, {4}, along_axis_attributes{0}));
  CHECK(taken("add_along_axis", {x, places({3, 4})}, float32, {3, 7}, along));
  CHECK_FALSE(taken("add_along_axis", {x, places({3, 4})}, float32, {2, 7}, along));
  CHECK_FALSE(taken("add_along_axis", {x, places({3, 9})}, float32, {3, 7}, along));

  CHECK(taken("index_add", {x, places({3})}, float32, {8, 4}, axis_attributes{0}));
  CHECK(taken("index_add", {x, places({3, 4})}, float32, {8}, axis_attributes{0}));
  CHECK(taken("index_add", {x, places({})}, float32, {3, 4, 8}, axis_attributes{2}));
  CHECK_FALSE(taken("index_add", {x, places({})}, float32, {3, 4, 8}, axis_attributes{3}));
  CHECK_FALSE(taken("index_add", {x, places({9})}, float32, {8, 4}, axis_attributes{0}));
  CHECK_FALSE(taken("index_add", {x, places({3})}, float32, {8, 5}, axis_attributes{0}));

  const auto mask = array_of(boolean, {5});
  CHECK(taken("true_positions", {mask, places({5})}, int64, {2}));
  CHECK_FALSE(taken("true_positions", {mask, places({3})}, int64, {2}));
  CHECK_FALSE(taken("true_positions", {mask, array_of(int32, {5})}, int64, {2}));
  CHECK_FALSE(taken("true_positions", {mask}, int64, {2}));
  CHECK_FALSE(taken("true_positions", {mask, places({5})}, boolean, {2}));
  CHECK_FALSE(taken("replace_part", {x, array_of(int8, {2})}, float32, {3, 4}));
  CHECK_FALSE(taken("eye", {}, float32, {4}));

  const auto images = array_of(float32, {2, 3, 8, 8}), kernels = array_of(float32, {4, 3, 3, 3}),
             seen = array_of(float32, {2, 4, 6, 6});
  const convolution_attributes steps{{1, 1}, {0, 0}, {1, 1}, 1};
  CHECK(taken("conv2d", {images, kernels}, float32, {2, 4, 6, 6}, steps));
  CHECK_FALSE(taken("conv2d", {images, kernels}, float32, {2, 4, 7, 6}, steps));
  CHECK(taken("conv2d", {images, kernels, array_of(float32, {4})}, float32, {2, 4, 6, 6}, steps));
  CHECK_FALSE(
      taken("conv2d", {images, kernels, array_of(float32, {3})}, float32, {2, 4, 6, 6}, steps));
  CHECK_FALSE(taken("conv2d", {images, x}, float32, {2, 4, 6, 6}, steps));
  CHECK_FALSE(taken("conv2d", {images, kernels}, float32, {2, 4, 6, 6},
                    convolution_attributes{{0, 1}, {0, 0}, {1, 1}, 1}));
  CHECK(taken("conv2d_input_gradient", {seen, kernels}, float32, {2, 3, 8, 8}, steps));
  CHECK_FALSE(taken("conv2d_input_gradient", {seen, kernels}, float32, {2, 3, 9, 8}, steps));
  CHECK(taken("conv2d_weight_gradient", {images, seen}, float32, {4, 3, 3, 3}, steps));
  CHECK_FALSE(taken("conv2d_weight_gradient", {images, seen}, float32, {4, 3, 4, 3}, steps));

  const auto halves = array_of(float32, {2, 3, 4, 4});
  const pooling_attributes pairs{{2, 2}, {2, 2}, {0, 0}};
  CHECK(taken("max_pool2d", {images}, float32, {2, 3, 4, 4}, pairs));
  CHECK_FALSE(taken("max_pool2d", {images}, float32, {2, 3, 5, 4}, pairs));
  CHECK_FALSE(taken("avg_pool2d", {x}, float32, {3, 4}, pairs));
  CHECK(taken("max_pool2d_gradient", {images, halves}, float32, {2, 3, 8, 8}, pairs));
  CHECK_FALSE(taken("max_pool2d_gradient", {images, images}, float32, {2, 3, 8, 8}, pairs));
  CHECK(taken("max_pool2d_pick", {images, images}, float32, {2, 3, 4, 4}, pairs));
  CHECK_FALSE(taken("max_pool2d_pick", {images, halves}, float32, {2, 3, 4, 4}, pairs));
  CHECK(taken("avg_pool2d_gradient", {halves}, float32, {2, 3, 8, 8}, pairs));
  CHECK_FALSE(taken("avg_pool2d_gradient", {halves}, float32, {2, 3, 10, 8}, pairs));
}
