// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/similarities.hpp"

#include "troupe/tensor/linalg/norms.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/products.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

tensor normalize(const tensor& x, int axis, double least, caller where) {
  check_defined("normalize", x, where);
  const int along = detail::checked_axis(axis, x.rank(), x.type(), "normalize", where);
  const auto y = detail::inexact(x, where);
  const auto length = maximum(norm(y, along, keepdims, where), least, where);
  return divide(y, length, where);
}

tensor cosine_similarity(const tensor& x, const tensor& y, int axis, double least, caller where) {
  const tensor* const inputs[] = {&x, &y};
  common_home("cosine_similarity", inputs, where);
  // Each by itself: the product of two lengths can overflow.
  const auto direction = [&](const tensor& one) {
    const int along =
        detail::checked_axis(axis, one.rank(), one.type(), "cosine_similarity", where);
    const auto some = detail::inexact(one, where);
    return divide(some, maximum(norm(some, along, keepdims, where), least, where), where);
  };
  return vecdot(direction(x), direction(y), axis, where);
}

tensor cdist(const tensor& x, const tensor& y, double order, caller where) {
  const tensor* const inputs[] = {&x, &y};
  common_home("cdist", inputs, where);
  const tensor_type types[] = {x.type(), y.type()};
  if (x.rank() < 2 || y.rank() < 2 || x.shape()[x.rank() - 1] != y.shape()[y.rank() - 1])
    refuse("cdist", "points are [..., n, d] and [..., m, d]", types, where);
  if (!(order >= 1)) throw error("cdist: the order is " + std::to_string(order), where);
  const auto from = expand_dims(detail::inexact(x, where), x.rank() - 1, where);
  const auto to = expand_dims(detail::inexact(y, where), y.rank() - 2, where);
  return linalg::vector_norm(subtract(from, to, where), -1, false, order, where);
}

}  // namespace troupe
