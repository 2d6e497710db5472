// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/resize.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// Takes `size` elements along an axis, each by the place it begins in.
tensor nearest(const tensor& x, int axis, std::int64_t size) {
  const auto n = x.shape()[axis];
  std::vector<std::int64_t> from;
  for (std::int64_t i = 0; i < size; ++i)
    from.push_back(std::min(
        n - 1, static_cast<std::int64_t>(static_cast<double>(i) *
                                         (static_cast<double>(n) / static_cast<double>(size)))));
  return take(x, from_data(from, {size}, {.device = x.device()}), axis);
}

/// Takes `size` elements along an axis, each between the two around its middle.
tensor linear(const tensor& x, int axis, std::int64_t size) {
  const auto n = x.shape()[axis];
  std::vector<std::int64_t> low, high;
  std::vector<double> share;
  for (std::int64_t i = 0; i < size; ++i) {
    const auto middle = std::max(
        0.,
        (static_cast<double>(i) + 0.5) * static_cast<double>(n) / static_cast<double>(size) - 0.5);
    const auto below = std::min(n - 1, static_cast<std::int64_t>(middle));
    low.push_back(below);
    high.push_back(std::min(n - 1, below + 1));
    share.push_back(middle - static_cast<double>(below));
  }
  shape along;
  for (int i = 0; i < x.rank(); ++i) along.push_back(i == axis ? size : 1);
  const auto weights = from_data(share, along, {.dtype = real_of(x.dtype()), .device = x.device()});
  const auto a = take(x, from_data(low, {size}, {.device = x.device()}), axis);
  const auto b = take(x, from_data(high, {size}, {.device = x.device()}), axis);
  return a + weights * (b - a);
}

}  // namespace

tensor resize2d(const tensor& x, height_width size, std::string_view mode, caller where) {
  check_defined("resize2d", x, where);
  const int rank = x.rank();
  if (rank < 2 || x.size() == 0)
    throw error("resize2d: no images [..., height, width]: " + to_string(x.type()), where);
  if (size.height < 1 || size.width < 1)
    throw error(
        "resize2d: a size of " + std::to_string(size.height) + " x " + std::to_string(size.width),
        where);
  if (mode != "nearest" && mode != "bilinear")
    throw error(
        "resize2d: the mode is \"nearest\" or \"bilinear\", not \"" + std::string(mode) + "\"",
        where);
  const detail::on_behalf_of user(where);
  const auto of = [&](const tensor& from, int axis, std::int64_t to) {
    return mode == "nearest" ? nearest(from, axis, to) : linear(from, axis, to);
  };
  const auto in = mode == "nearest" ? x : detail::inexact(x);
  return of(of(in, rank - 2, size.height), rank - 1, size.width);
}

}  // namespace troupe
