// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/adaptive_pooling.hpp"

#include <string>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// Returns a matrix of `size` rows whose product with `length` numbers is the means of windows.
tensor means(std::int64_t length, std::int64_t size, const tensor& like) {
  const auto count = [&](std::int64_t n) { return arange(n, {.device = like.device()}); };
  const auto window = reshape(count(size), {size, 1});
  const auto first = floor_divide(window * length, size);
  const auto end = floor_divide((window + 1) * length + (size - 1), size);
  const auto place = count(length);
  const auto inside = logical_and(greater_equal(place, first), less(place, end));
  const auto element = real_of(like.dtype());
  return astype(inside, element) / astype(end - first, element);
}

}  // namespace

tensor adaptive_avg_pool2d(const tensor& x, height_width size, caller where) {
  check_defined("adaptive_avg_pool2d", x, where);
  const int rank = x.rank();
  if (rank < 2 || x.shape()[rank - 2] == 0 || x.shape()[rank - 1] == 0)
    throw error("adaptive_avg_pool2d: no images [..., height, width]: " + to_string(x.type()),
                where);
  if (size.height < 1 || size.width < 1)
    throw error("adaptive_avg_pool2d: a size of " + std::to_string(size.height) + " x " +
                    std::to_string(size.width),
                where);
  const detail::on_behalf_of user(where);
  auto out = detail::inexact(x);
  if (size.height == 1) out = mean(out, rank - 2, keepdims);
  else out = matmul(means(x.shape()[rank - 2], size.height, out), out);
  if (size.width == 1) return mean(out, rank - 1, keepdims);
  return matmul(out, means(x.shape()[rank - 1], size.width, out).T());
}

}  // namespace troupe
