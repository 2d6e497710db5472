// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/statistics.hpp"

#include <algorithm>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// Returns the covariances of a matrix's rows.
tensor covariances(std::string_view what, const tensor& x, int ddof, caller where) {
  check_defined(what, x, where);
  const tensor_type types[] = {x.type()};
  if (x.rank() != 1 && x.rank() != 2) refuse(what, "neither a matrix nor a vector", types, where);
  const auto rows = detail::inexact(x.rank() == 1 ? expand_dims(x, 0) : x);
  const auto apart = rows - mean(rows, 1, keepdims);
  const auto count = std::max<std::int64_t>(rows.shape()[1] - ddof, 0);
  return matmul(apart, conj(apart).T()) / static_cast<double>(count);
}

}  // namespace

tensor average(const tensor& x, const tensor& weights, optional_axis axis, flag keep,
               caller where) {
  const tensor* const inputs[] = {&x, &weights};
  common_home("average", inputs, where);
  if (axis) axis = detail::checked_axis(*axis, x.rank(), x.type(), "average", where);
  const bool along = axis && weights.rank() == 1 && weights.size() == x.shape()[*axis];
  if (!along && weights.shape() != x.shape()) {
    const tensor_type types[] = {x.type(), weights.type()};
    refuse("average", "not a weight for each element", types, where);
  }
  const detail::on_behalf_of user(where);
  const auto each = weights.shape() == x.shape()
                        ? weights
                        : broadcast_to(detail::along_axis(weights, *axis, x.rank()), x.shape());
  const auto over = axis ? axes(*axis) : axes();
  const auto element = promote(detail::inexact(x).dtype(), weights.dtype());
  const auto wide = astype(each, element);
  return sum(astype(x, element) * wide, over, keep) / sum(wide, over, keep);
}

tensor cov(const tensor& x, int ddof, caller where) {
  const detail::on_behalf_of user(where);
  const auto all = covariances("cov", x, ddof, where);
  return x.rank() == 1 ? squeeze(all) : all;
}

tensor corrcoef(const tensor& x, caller where) {
  const detail::on_behalf_of user(where);
  const auto all = covariances("corrcoef", x, 0, where);
  const auto deviations = sqrt(real(diagonal(all)));
  const auto shares = all / expand_dims(deviations, 1) / deviations;
  const auto bounded = is_complex(shares.dtype()) ? shares : clip(shares, -1., 1.);
  return x.rank() == 1 ? squeeze(bounded) : bounded;
}

}  // namespace troupe
