// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/sequences.hpp"
#include "troupe/tensor/ops/volumes.hpp"

namespace troupe::language {

namespace {

constexpr std::string_view window_of_1 =
    "x, size: integer, stride: integer = none, padding: integer = 0";
constexpr std::string_view window_of_2 = "x, size: pair, stride: pair = none, padding: pair = 0";
constexpr std::string_view window_of_3 =
    "x, size: triple, stride: triple = none, padding: triple = 0";

pool1d_options window_1(const arguments& a) {
  return {a.integer(1), a.integer(2, 0), a.integer(3)};
}

pool2d_options window_2(const arguments& a) {
  return {
      .size = a.pair(1, 1), .stride = a.pair(2, height_width::absent()), .padding = a.pair(3, 0)};
}

pool3d_options window_3(const arguments& a) {
  return {a.triple(1, 1), a.triple(2, 0), a.triple(3, 0)};
}

/// Calls `f` with the bias if there is one.
template <class F, class Options>
dynamic_value convolution(const arguments& a, const F& f, const Options& options) {
  if (a.has(6)) return f(a.array(0), a.array(1), a.array(6), options, a.where());
  return f(a.array(0), a.array(1), options, a.where());
}

dynamic_value conv1d_of(const arguments& a) {
  return convolution(
      a, [](const auto&... given) { return conv1d(given...); },
      conv1d_options{a.integer(2, 1), a.integer(3), a.integer(4, 1), a.integer(5, 1)});
}

dynamic_value conv2d_of(const arguments& a) {
  return convolution(
      a, [](const auto&... given) { return conv2d(given...); },
      conv2d_options{a.pair(2, 1), a.pair(3, 0), a.pair(4, 1), a.integer(5, 1)});
}

dynamic_value conv3d_of(const arguments& a) {
  return convolution(
      a, [](const auto&... given) { return conv3d(given...); },
      conv3d_options{a.triple(2, 1), a.triple(3, 0), a.triple(4, 1), a.integer(5, 1)});
}

}  // namespace

std::vector<word> image_words() {
  return {
      {"conv1d", "images",
       "x, weight, stride: integer = 1, padding: integer = 0, dilation: integer = 1, "
       "groups: integer = 1, bias: array = none",
       "The convolution of sequences [n, channels, length] with kernels [out, channels / groups, "
       "length].",
       conv1d_of},
      {"conv2d", "images",
       "x, weight, stride: pair = 1, padding: pair = 0, dilation: pair = 1, groups: integer = 1, "
       "bias: array = none",
       "The convolution of images [n, channels, h, w] with kernels [out, channels / groups, h, w].",
       conv2d_of},
      {"conv3d", "images",
       "x, weight, stride: triple = 1, padding: triple = 0, dilation: triple = 1, "
       "groups: integer = 1, bias: array = none",
       "The convolution of volumes [n, channels, d, h, w] with kernels [out, channels / groups, d, "
       "h, w].",
       conv3d_of},
      {"max_pool1d", "images", window_of_1, "The greatest of each window of sequences.",
       [](const arguments& a) -> dynamic_value {
         return max_pool1d(a.array(0), window_1(a), a.where());
       }},
      {"max_pool2d", "images", window_of_2, "The greatest of each window of images.",
       [](const arguments& a) -> dynamic_value {
         return max_pool2d(a.array(0), window_2(a), a.where());
       }},
      {"max_pool3d", "images", window_of_3, "The greatest of each window of volumes.",
       [](const arguments& a) -> dynamic_value {
         return max_pool3d(a.array(0), window_3(a), a.where());
       }},
      {"avg_pool1d", "images", window_of_1, "The mean of each window of sequences.",
       [](const arguments& a) -> dynamic_value {
         return avg_pool1d(a.array(0), window_1(a), a.where());
       }},
      {"avg_pool2d", "images", window_of_2, "The mean of each window of images.",
       [](const arguments& a) -> dynamic_value {
         return avg_pool2d(a.array(0), window_2(a), a.where());
       }},
      {"avg_pool3d", "images", window_of_3, "The mean of each window of volumes.",
       [](const arguments& a) -> dynamic_value {
         return avg_pool3d(a.array(0), window_3(a), a.where());
       }},
  };
}

}  // namespace troupe::language
