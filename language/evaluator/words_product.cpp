// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/softmax.hpp"

namespace troupe::language {

namespace {

constexpr std::string_view window = "x, size: pair, stride: pair = none, padding: pair = 0";

pool2d_options window_of(const arguments& a) {
  return {
      .size = a.pair(1, 1), .stride = a.pair(2, height_width::absent()), .padding = a.pair(3, 0)};
}

}  // namespace

std::vector<word> product_words() {
  return {
      {"matmul", "products", "x, y", "The matrix product; x @ y is the same.",
       [](const arguments& a) -> dynamic_value {
         return matmul(a.array(0), a.array(1), a.where());
       }},
      {"dot", "products", "x, y", "NumPy's dot: of vectors the inner product, else as matmul.",
       [](const arguments& a) -> dynamic_value { return dot(a.array(0), a.array(1), a.where()); }},
      {"linear", "products", "x, weight, bias", "x @ weight + bias, as one task.",
       [](const arguments& a) -> dynamic_value {
         return linear(a.array(0), a.array(1), a.array(2), a.where());
       }},
      {"linear_relu", "products", "x, weight, bias", "relu(x @ weight + bias), as one task.",
       [](const arguments& a) -> dynamic_value {
         return linear_relu(a.array(0), a.array(1), a.array(2), a.where());
       }},
      {"softmax", "products", "x, axis: axis = -1", "exp(x) / sum(exp(x)), without overflow.",
       [](const arguments& a) -> dynamic_value {
         return softmax(a.array(0), a.axis(1).value_or(-1), a.where());
       }},
      {"log_softmax", "products", "x, axis: axis = -1", "log(softmax(x)), exact near 0.",
       [](const arguments& a) -> dynamic_value {
         return log_softmax(a.array(0), a.axis(1).value_or(-1), a.where());
       }},
      {"conv2d", "images",
       "x, weight, stride: pair = 1, padding: pair = 0, dilation: pair = 1, groups: integer = 1, "
       "bias: array = none",
       "The convolution of images [n, channels, h, w] with kernels [out, channels / groups, h, w].",
       [](const arguments& a) -> dynamic_value {
         const conv2d_options options{.stride = a.pair(2, 1),
                                      .padding = a.pair(3, 0),
                                      .dilation = a.pair(4, 1),
                                      .groups = a.integer(5, 1)};
         if (a.has(6)) return conv2d(a.array(0), a.array(1), a.array(6), options, a.where());
         return conv2d(a.array(0), a.array(1), options, a.where());
       }},
      {"max_pool2d", "images", window, "The greatest of each window of images.",
       [](const arguments& a) -> dynamic_value {
         return max_pool2d(a.array(0), window_of(a), a.where());
       }},
      {"avg_pool2d", "images", window, "The mean of each window of images.",
       [](const arguments& a) -> dynamic_value {
         return avg_pool2d(a.array(0), window_of(a), a.where());
       }},
  };
}

}  // namespace troupe::language
