// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/conv_general.hpp"
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

/// Returns the numbers of a parameter, for each axis; one number stands for all.
std::vector<std::int64_t> for_each_axis(const arguments& a, std::size_t i) {
  if (!a.has(i)) return {};
  if (a.is_list(i)) return a.integers(i);
  return std::vector<std::int64_t>(static_cast<std::size_t>(std::max(a.array(0).rank() - 2, 0)),
                                   a.integers(i)[0]);
}

dynamic_value conv_general_of(const arguments& a) {
  const auto before = for_each_axis(a, 3), behind = a.has(4) ? for_each_axis(a, 4) : before;
  if (a.has(3) && a.has(4) && before.size() != behind.size())
    throw error("conv_general: padding for " + std::to_string(before.size()) +
                    " axes and padding_behind for " + std::to_string(behind.size()),
                a.where());
  conv_general_options options{.stride = for_each_axis(a, 2),
                               .input_dilation = for_each_axis(a, 5),
                               .kernel_dilation = for_each_axis(a, 6),
                               .groups = a.integer(7, 1)};
  for (std::size_t i = 0; i < std::max(before.size(), behind.size()); ++i)
    options.padding.emplace_back(i < before.size() ? before[i] : 0,
                                 i < behind.size() ? behind[i] : 0);
  return conv_general(a.array(0), a.array(1), options, a.where());
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
      {"conv_general", "images",
       "x, weight, stride: integers = none, padding: integers = none, "
       "padding_behind: integers = none, input_dilation: integers = none, "
       "kernel_dilation: integers = none, groups: integer = 1",
       "A convolution along one, two or three axes, with a number for each of them or one for all: "
       "conv_general(x, w, padding=(1, 2), padding_behind=0). Zeros come between the elements of x "
       "first, then around them; padding behind is that before if it is not given.",
       conv_general_of},
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
