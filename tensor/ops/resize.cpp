// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/resize.hpp"

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// Returns 0, 1, ... for so many elements on a device.
tensor numbers(std::int64_t size, device where) {
  return arange(size, {.dtype = float64, .device = where});
}

/// Takes `size` elements along an axis, each by the place it begins in.
tensor nearest(const tensor& x, int axis, std::int64_t size) {
  const auto n = x.shape()[axis];
  const auto step = static_cast<double>(n) / static_cast<double>(size);
  const auto from = astype(numbers(size, x.device()) * step, int64);
  return take(x, minimum(from, n - 1), axis);
}

/// Takes `size` elements along an axis, each between the two around its middle.
tensor linear(const tensor& x, int axis, std::int64_t size) {
  const auto n = x.shape()[axis];
  const auto middle = maximum(
      (numbers(size, x.device()) + 0.5) * static_cast<double>(n) / static_cast<double>(size) - 0.5,
      0.);
  const auto low = minimum(astype(middle, int64), n - 1), high = minimum(low + 1, n - 1);
  shape along;
  for (int i = 0; i < x.rank(); ++i) along.push_back(i == axis ? size : 1);
  const auto weights = reshape(astype(middle - low, real_of(x.dtype())), along);
  const auto a = take(x, low, axis), b = take(x, high, axis);
  return a + weights * (b - a);
}

}  // namespace

tensor resize2d(const tensor& x, height_width size, std::string_view mode, caller where) {
  check_defined("resize2d", x, where);
  const int rank = x.rank();
  if (rank < 2 || x.shape()[rank - 2] == 0 || x.shape()[rank - 1] == 0)
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
