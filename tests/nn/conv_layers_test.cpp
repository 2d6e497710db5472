// SPDX-License-Identifier: MIT
#include "troupe/nn/conv1d.hpp"
#include "troupe/nn/conv3d.hpp"
#include "troupe/nn/conv_transpose.hpp"
#include "troupe/nn/pools.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/nn/check_near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"

namespace troupe::testing {

namespace {

/// Way of a kernel along an axis, in plain loops.
struct plain_way {
  std::int64_t stride = 1, padding = 0, dilation = 1, groups = 1;
};

/// Calls f(n, filter, channel of x, channel of the filter, place in x, place in the kernel, place
/// in the result) for each product of a convolution of [n, channels, length].
template <class F>
void each_product(const shape& x, std::int64_t filters, std::int64_t kernel, std::int64_t results,
                  const plain_way& w, F&& f) {
  const auto in_group = x[1] / w.groups, filters_in_group = filters / w.groups;
  for (std::int64_t n = 0; n < x[0]; ++n) {
    for (std::int64_t out = 0; out < filters; ++out) {
      for (std::int64_t c = 0; c < in_group; ++c) {
        for (std::int64_t r = 0; r < results; ++r) {
          for (std::int64_t k = 0; k < kernel; ++k) {
            const auto at = r * w.stride + k * w.dilation - w.padding;
            if (at >= 0 && at < x[2]) f(n, out, out / filters_in_group * in_group + c, c, at, k, r);
          }
        }
      }
    }
  }
}

std::size_t flat_index(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t bs,
                       std::int64_t cs) {
  return static_cast<std::size_t>((a * bs + b) * cs + c);
}

}  // namespace

TEST_CASE("conv1d adds up products with its kernels, and the bias") {
  test_engine e;
  for (const auto& w : {plain_way{}, plain_way{2, 1, 1, 1}, plain_way{1, 3, 2, 2}}) {
    nn::conv1d layer(4, 3,
                     {.stride = w.stride,
                      .padding = w.padding,
                      .dilation = w.dilation,
                      .groups = w.groups,
                      .first_bias = nn::init::uniform(-1, 1)});
    const auto x = spread({2, 2, 9});
    const auto y = layer(x);
    const auto results = (9 + 2 * w.padding - w.dilation * 2 - 1) / w.stride + 1;
    REQUIRE(y.shape() == shape{2, 4, results});
    REQUIRE(layer.weight.value().shape() == shape{4, 2 / w.groups, 3});
    const auto in = numbers(x), weight = numbers(layer.weight), bias = numbers(layer.bias);
    std::vector<double> want;
    for (std::int64_t i = 0; i < 2 * 4 * results; ++i)
      want.push_back(bias[static_cast<std::size_t>(i / results % 4)]);
    each_product(x.shape(), 4, 3, results, w,
                 [&](auto n, auto out, auto from, auto c, auto at, auto k, auto r) {
                   want[flat_index(n, out, r, 4, results)] +=
                       in[flat_index(n, from, at, 2, 9)] *
                       weight[flat_index(out, c, k, 2 / w.groups, 3)];
                 });
    check_near(y, want);
  }
}

TEST_CASE("a transposed convolution puts kernels where a convolution reads them") {
  test_engine e;
  for (const auto& w : {plain_way{}, plain_way{2, 1, 1, 1}, plain_way{3, 1, 2, 2}}) {
    for (std::int64_t more = 0; more < w.stride; ++more) {
      nn::conv_transpose1d layer(2, 3,
                                 {.stride = w.stride,
                                  .padding = w.padding,
                                  .output_padding = more,
                                  .dilation = w.dilation,
                                  .groups = w.groups,
                                  .first_bias = nn::init::uniform(-1, 1)});
      const auto x = spread({2, 4, 5});
      const auto y = layer(x);
      const auto length = 4 * w.stride - 2 * w.padding + 2 * w.dilation + more + 1;
      REQUIRE(y.shape() == shape{2, 2, length});
      REQUIRE(layer.weight.value().shape() == shape{4, 2 / w.groups, 3});
      const auto in = numbers(x), weight = numbers(layer.weight), bias = numbers(layer.bias);
      std::vector<double> want;
      for (std::int64_t i = 0; i < 2 * 2 * length; ++i)
        want.push_back(bias[static_cast<std::size_t>(i / length % 2)]);
      // The roles of x and the result are those of a convolution's result and its x.
      each_product(
          y.shape(), 4, 3, 5, w, [&](auto n, auto from, auto to, auto c, auto at, auto k, auto r) {
            want[flat_index(n, to, at, 2, length)] +=
                in[flat_index(n, from, r, 4, 5)] * weight[flat_index(from, c, k, 2 / w.groups, 3)];
          });
      check_near(y, want);
    }
  }
}

TEST_CASE("conv_transpose2d is the gradient of the convolution with its weight") {
  test_engine e;
  nn::conv_transpose2d layer(
      6, {3, 2}, relu, {.stride = {2, 1}, .padding = 1, .output_padding = {1, 0}, .groups = 2});
  const auto x = spread({2, 4, 3, 5});
  const auto y = layer(x);
  CHECK(type_text(y) == "float64[2,6,6,4]");
  CHECK(type_text(layer.weight) == "float64[4,3,3,2]");
  layer.bias.assign(spread({6}, 3));
  const auto back = conv2d_input_gradient(x, layer.weight.value(), {6, 4},
                                          {.stride = {2, 1}, .padding = 1, .groups = 2});
  CHECK(numbers(layer(x)) == numbers(relu(back + layer.bias.value().reshape({6, 1, 1}))));
  CHECK(nn::conv_transpose2d(3, 4, {.stride = 4})(x).shape() == shape{2, 3, 12, 20});
}

TEST_CASE(
    "the gradients of layers with kernels agree with finite differences, and compiled they "
    "compute the same") {
  test_engine e;
  const auto check = [](auto layer, const tensor& x) {
    check_parameter_gradients(layer, [&] { return layer(x); });
    check_gradients([&](const auto& in) { return layer(in[0]); }, {x});
    const auto program = compile([&](const tensor& in) { return layer(in); });
    for (int i = 0; i < 3; ++i) CHECK(numbers(program(x)) == numbers(layer(x)));
  };
  check(nn::conv1d(2, 3, tanh, {.stride = 2, .padding = 1}), spread({2, 2, 6}));
  check(nn::conv3d(2, {2, 1, 2}, tanh, {.stride = {1, 2, 1}, .padding = {1, 0, 0}}),
        spread({1, 2, 2, 3, 3}));
  check(nn::conv_transpose1d(2, 3, tanh, {.stride = 2, .output_padding = 1}), spread({2, 2, 3}));
  check(nn::conv_transpose2d(2, {2, 3}, tanh, {.stride = 2, .padding = 1}), spread({1, 2, 3, 3}));
}

TEST_CASE("conv3d is a convolution of volumes with a bias and an activation") {
  test_engine e;
  const nn::conv3d layer(4, 2, relu, {.stride = {1, 2, 2}, .padding = 1, .groups = 2});
  const auto x = spread({2, 2, 3, 4, 5});
  const auto y = layer(x);
  CHECK(type_text(layer.weight) == "float64[4,1,2,2,2]");
  CHECK(numbers(y) == numbers(relu(conv3d(x, layer.weight.value(), layer.bias.value(),
                                          {.stride = {1, 2, 2}, .padding = 1, .groups = 2}))));
  CHECK(TROUPE_ERROR_OF(nn::conv3d(0, 3)) == "conv3d: 0 filters: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::conv3d(1, {3, 0, 3})) ==
        "conv3d: the kernel is 0 and must be 1 or more");
  CHECK(TROUPE_ERROR_OF(layer(spread({1, 2, 3, 3}))) ==
        "conv3d: x is float64[1,2,3,3], but must have at least 5 axes");
  CHECK(TROUPE_ERROR_OF(layer(spread({1, 4, 3, 3, 3}))) ==
        "conv3d: 2 channels expected, but x is float64[1,4,3,3,3]");
}

TEST_CASE("pooling layers pool sequences and volumes") {
  test_engine e;
  const auto x = spread({1, 2, 4}), volume = spread({1, 2, 4, 4, 2});
  CHECK(numbers(nn::max_pool1d(2)(x)) == numbers(max_pool1d(x, {2})));
  CHECK(numbers(nn::avg_pool1d({.size = 3, .stride = 1})(x)) ==
        numbers(avg_pool1d(x, {.size = 3, .stride = 1})));
  CHECK(numbers(nn::max_pool3d(2)(volume)) == numbers(max_pool3d(volume, {2})));
  CHECK(numbers(nn::avg_pool3d({.size = {2, 1, 2}})(volume)) ==
        numbers(avg_pool3d(volume, {.size = {2, 1, 2}})));
}

TEST_CASE("layers with kernels and without a bias have none") {
  test_engine e;
  nn::conv1d one(2, 3, {.bias = false});
  nn::conv_transpose1d two(2, 3, {.bias = false});
  nn::conv_transpose2d three(2, 3, {.bias = false});
  one(ones({1, 1, 4}));
  two(ones({1, 1, 4}));
  three(ones({1, 1, 4, 4}));
  CHECK(nn::parameters(one).size() == 1);
  CHECK(nn::parameters(two).size() == 1);
  CHECK(nn::parameters(three).size() == 1);
}

TEST_CASE("conv1d and transposed convolutions refuse invalid arguments and inputs") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(nn::conv1d(0, 3)) == "conv1d: 0 filters: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::conv1d(3, 3, {.groups = 2})) == "conv1d: 3 filters in 2 groups");
  CHECK(TROUPE_ERROR_OF(nn::conv1d(3, 0)) == "conv1d: the kernel is 0 and must be 1 or more");
  CHECK(TROUPE_ERROR_OF(nn::conv1d(3, 1, {.padding = -1})) ==
        "conv1d: the padding is -1 and must be 0 or more");
  nn::conv1d layer(4, 3, {.padding = 1, .dilation = 2, .groups = 2});
  CHECK(TROUPE_ERROR_OF(layer(ones({2, 3, 5}))) ==
        "conv1d: x is float32[2,3,5], whose channels are no multiple of 2 groups");
  CHECK(TROUPE_ERROR_OF(layer(ones({2, 5}))) ==
        "conv1d: x is float32[2,5], but must have at least 3 axes");
  CHECK(TROUPE_ERROR_OF(layer(ones({1, 2, 3, 5}))) ==
        "conv1d: x is float32[1,2,3,5], but must be [n, channels, length]");
  layer(ones({2, 4, 5}));
  CHECK(TROUPE_ERROR_OF(layer(ones({2, 6, 5}))) ==
        "conv1d: 4 channels expected, but x is float32[2,6,5]");
  CHECK(TROUPE_ERROR_OF(layer(ones({2, 4, 2}))) ==
        "conv1d: the kernel is longer than x, float32[2,4,2], with its padding");
  CHECK(TROUPE_ERROR_OF(nn::conv_transpose1d(1, 2, {.stride = 2, .output_padding = 2})) ==
        "conv_transpose1d: the output padding is 2 and must be 0 or more, and less than the stride "
        "of 2");
  CHECK(TROUPE_ERROR_OF(nn::conv_transpose2d(1, 2, {.stride = {1, 0}})) ==
        "conv_transpose2d: the stride is 0 and must be 1 or more");
  nn::conv_transpose2d back(2, 3, {.padding = 2});
  CHECK(TROUPE_ERROR_OF(back(ones({1, 1, 2, 9}))) ==
        "conv_transpose2d: nothing would be left of the result for x, float32[1,1,2,9]");
  CHECK(TROUPE_ERROR_OF(back(ones({1, 4, 4, 4}))) ==
        "conv_transpose2d: 1 channels expected, but x is float32[1,4,4,4]");
}

}  // namespace troupe::testing
