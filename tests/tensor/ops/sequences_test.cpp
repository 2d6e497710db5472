// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/sequences.hpp"

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

tensor sequence(std::initializer_list<double> numbers) {
  return from_data(list(numbers)).reshape({1, 1, -1});
}

}  // namespace

TEST_CASE("a convolution of sequences is that which PyTorch documents") {
  test_engine e;
  const auto x = sequence({1, 2, 3, 4}), w = sequence({1, 0, -10});
  CHECK(numbers(conv1d(x, w)) == list{1 - 30, 2 - 40});
  CHECK(numbers(conv1d(x, w, {.stride = 2, .padding = 1})) == list{-20, 2 - 40});
  CHECK(numbers(conv1d(x, w, {.padding = 2, .dilation = 2})) == list{-10 * 3, -10 * 4, 1, 2});
  CHECK(numbers(conv1d(x, w, tensor{0.5})) == list{-28.5, -37.5});
  CHECK(type_text(conv1d(zeros({2, 4, 9}), zeros({6, 2, 3}), {.groups = 2})) == "float32[2,6,7]");
}

TEST_CASE("pools of sequences are those which PyTorch documents") {
  test_engine e;
  const auto x = sequence({1, 5, 2, 8, 3});
  CHECK(numbers(max_pool1d(x, {2})) == list{5, 8});
  CHECK(numbers(max_pool1d(x, {.size = 3, .stride = 2, .padding = 1})) == list{5, 8, 8});
  CHECK(numbers(avg_pool1d(x, {.size = 2, .stride = 2, .padding = 1})) == list{0.5, 3.5, 5.5});
}

TEST_CASE("gradients flow through convolutions and pools of sequences") {
  test_engine e;
  const auto x = distinct({2, 2, 5}), w = distinct({3, 2, 2});
  check_gradient([&](const tensor& at) { return conv1d(at, w, {.stride = 2}); }, x);
  check_gradient([&](const tensor& at) { return conv1d(x, at, {.padding = 1}); }, w);
  check_gradient([](const tensor& at) { return max_pool1d(at, {2}); }, x);
  check_gradient([](const tensor& at) { return avg_pool1d(at, {2}); }, x);
}

TEST_CASE("convolutions and pools of sequences that do not fit are refused at the call") {
  test_engine e;
  const auto x = zeros({1, 2, 5});
  CHECK(TROUPE_ERROR_OF(conv1d(x, zeros({1, 2, 6}))) ==
        "conv1d: the kernel is larger than the padded input: float32[1,2,5] and float32[1,2,6]");
  CHECK(TROUPE_ERROR_OF(conv1d(zeros({2, 5}), zeros({1, 2, 3}))) ==
        "conv1d: not 3 axes: float32[2,5] and float32[1,2,3]");
  CHECK(TROUPE_ERROR_OF(conv1d(x, zeros({1, 2, 3}), {.dilation = 0})) ==
        "conv1d: a dilation of 0: float32[1,2,5] and float32[1,2,3]");
  CHECK(TROUPE_ERROR_OF(max_pool1d(x, {0})) == "max_pool1d: a size of 0: float32[1,2,5]");
  CHECK(TROUPE_ERROR_OF(avg_pool1d(x, {.size = 2, .stride = -1})) ==
        "avg_pool1d: a stride of -1: float32[1,2,5]");
}

}  // namespace troupe::testing
