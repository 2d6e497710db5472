// SPDX-License-Identifier: MIT
#include "troupe/nn/nn.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tests/nn/finite_differences.hpp"

namespace troupe::testing {

TEST_CASE("conv2d learns its number of channels at the first call") {
  test_engine e;
  nn::conv2d layer(6, {3, 2}, relu, {.stride = 2, .padding = 1, .groups = 2});
  CHECK_FALSE(layer.weight.defined());
  const auto x = spread({2, 4, 7, 5});
  const auto y = layer(x);
  CHECK(type_text(layer.weight) == "float64[6,2,3,2]");
  CHECK(type_text(layer.bias) == "float64[6]");
  layer.bias.assign(spread({6}, 3));
  const auto want = relu(conv2d(x, layer.weight.value(), layer.bias.value(),
                                {.stride = 2, .padding = 1, .groups = 2}));
  CHECK(y.shape() == want.shape());
  CHECK(numbers(layer(x)) == numbers(want));
}

TEST_CASE("conv2d without a bias has none") {
  test_engine e;
  nn::conv2d layer(2, 3, {.bias = false});
  layer(spread({1, 1, 4, 4}));
  CHECK(nn::parameters(layer).size() == 1);
  CHECK_FALSE(layer.bias.defined());
}

TEST_CASE("the range of conv2d's initial weights depends on the kernel's size and channels") {
  test_engine e;
  nn::conv2d layer(8, 5);
  layer(zeros({1, 4, 9, 9}));
  const auto w = numbers(abs(layer.weight.value()));
  const auto greatest = *std::max_element(w.begin(), w.end());
  CHECK(greatest <= 0.1);  // 1 / sqrt(4 * 5 * 5)
  CHECK(greatest > 0.095);
}

TEST_CASE("conv2d refuses invalid arguments and inputs") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(nn::conv2d(0, 3)) == "conv2d: 0 filters: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::conv2d(2, {3, 0})) == "conv2d: a kernel of 3 x 0");
  CHECK(TROUPE_ERROR_OF(nn::conv2d(3, 3, {.groups = 2})) == "conv2d: 3 filters in 2 groups");
  CHECK(TROUPE_ERROR_OF(nn::conv2d(3, 3, {.groups = 0})) == "conv2d: 3 filters in 0 groups");
  nn::conv2d grouped(4, 3, {.groups = 2});
  CHECK(TROUPE_ERROR_OF(grouped(zeros({1, 3, 5, 5}))) ==
        "conv2d: x is float32[1,3,5,5], whose channels are no multiple of 2 groups");
  nn::conv2d layer(4, 3);
  CHECK(TROUPE_ERROR_OF(layer(zeros({3, 5, 5}))) ==
        "conv2d: x is float32[3,5,5], but must have at least 4 axes");
  CHECK(TROUPE_ERROR_OF(layer(zeros({1, 3, 5, 5}, int64))) ==
        "conv2d: x is int64[1,3,5,5], but must have floats");
  CHECK_FALSE(layer.weight.defined());
  layer(zeros({1, 3, 5, 5}));
  CHECK(TROUPE_ERROR_OF(layer(zeros({1, 2, 5, 5}))).find("conv2d: ") == 0);
  CHECK(TROUPE_ERROR_OF(layer(zeros({1, 3, 2, 5}))).find("conv2d: ") == 0);
}

TEST_CASE("the gradients of a small convolutional network agree with finite differences") {
  test_engine e;
  nn::sequential net{
      nn::conv2d(3, 3, tanh, {.padding = 1}),   nn::max_pool2d(2), nn::conv2d(2, 2, tanh),
      nn::avg_pool2d({.size = 2, .stride = 1}), nn::flatten(),     nn::dense(2)};
  const auto x = spread({2, 2, 6, 6});
  check_parameter_gradients(net, [&] { return net(x); });
  check_gradients([&](const auto& in) { return net(in[0]); }, {x});
}

TEST_CASE("pooling layers agree with the pooling functions") {
  test_engine e;
  const auto x = spread({2, 3, 6, 8});
  CHECK(numbers(nn::max_pool2d(2)(x)) == numbers(max_pool2d(x, {2})));
  CHECK(numbers(nn::avg_pool2d({.size = 3, .stride = 2, .padding = 1})(x)) ==
        numbers(avg_pool2d(x, {.size = 3, .stride = 2, .padding = 1})));
  nn::sequential net{nn::max_pool2d(2), nn::avg_pool2d(2)};
  CHECK(nn::parameters(net).empty());
  CHECK(TROUPE_ERROR_OF(nn::max_pool2d(9)(x)) ==
        "max_pool2d: the windows are larger than the padded image: float64[2,3,6,8]");
}

}  // namespace troupe::testing
