// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/norms.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/linalg/spectra.hpp"
#include "troupe/tensor/linalg/systems.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::linalg {

namespace {

tensor as_floats(std::string_view what, const tensor& x, caller where) {
  check_defined(what, x, where);
  return is_inexact(x.dtype()) ? x : astype(x, float64, where);
}

[[noreturn]] void refuse_order(std::string_view what, const norm_order& order, caller where) {
  const auto text = order.name().empty() ? real_text(order.number()) : std::string(order.name());
  throw error(std::string(what) + ": the order " + text +
                  " is none of fro, nuc, 1, -1, 2, -2, inf and -inf",
              where);
}

[[noreturn]] void refuse_empty(std::string_view what, const tensor& x, caller where) {
  const tensor_type types[] = {x.type()};
  refuse(what, "no element is the greatest or least of none", types, where);
}

/// Returns the norms of vectors along axes.
tensor of_vectors(std::string_view what, const tensor& x, const axes& over, flag keep, double order,
                  caller where) {
  if (order == 2) return troupe::norm(x, over, keep, where);
  const auto sizes = abs(x, where);
  if (std::isinf(order)) {
    for (const int axis : over.list(x.type(), what, where)) {
      if (x.shape()[axis] == 0) refuse_empty(what, x, where);
    }
    return order > 0 ? max(sizes, over, keep, where) : min(sizes, over, keep, where);
  }
  if (order == 0) return astype(count_nonzero(x, over, keep, where), real_of(x.dtype()), where);
  if (order == 1) return sum(sizes, over, keep, where);
  // Powers of 16 bits overflow where their root does not.
  if (is_narrow_float(x.dtype()))
    return astype(of_vectors(what, astype(x, float32, where), over, keep, order, where), x.dtype(),
                  where);
  // No slope at 0, where that of the root would be infinite.
  const auto all = sum(power(sizes, order, where), over, keep, where);
  const auto none = equal(all, 0, where);
  const auto root = power(troupe::where(none, 1, all, where), 1 / order, where);
  return troupe::where(none, order > 0 ? 0 : INFINITY, root, where);
}

/// Returns the norms of the last two axes, which go away.
tensor of_matrices(std::string_view what, const tensor& x, const norm_order& order, caller where) {
  if (order.name() == "fro") return troupe::norm(x, {-2, -1}, false, where);
  if (order.name() == "nuc") return sum(svdvals(x, where), -1, false, where);
  if (!order.name().empty()) refuse_order(what, order, where);
  const double p = order.number();
  const bool greatest = p > 0;
  const auto choose = [&](const tensor& some) {
    if (some.shape()[-1] == 0) refuse_empty(what, x, where);
    return greatest ? max(some, -1, false, where) : min(some, -1, false, where);
  };
  if (std::abs(p) == 2) return choose(svdvals(x, where));
  if (std::abs(p) == 1) return choose(sum(abs(x, where), -2, false, where));
  if (std::isinf(p)) return choose(sum(abs(x, where), -1, false, where));
  refuse_order(what, order, where);
}

/// The first of two axes counts the rows, the second one the columns.
tensor norm_of_axes(const tensor& x, const norm_order& order, const std::vector<int>& some,
                    flag keep, caller where) {
  if (some.size() == 1) {
    if (!order.name().empty())
      throw error("norm: the order " + std::string(order.name()) + " is for matrices, not for " +
                      to_string(x.type()),
                  where);
    return of_vectors("norm", x, some[0], keep, order.number(), where);
  }
  if (some.size() != 2)
    throw error("norm: an order is for one axis or two, not for " + std::to_string(some.size()) +
                    " of " + to_string(x.type()),
                where);
  const auto out = of_matrices("norm", moveaxis(x, some, std::vector{-2, -1}, where), order, where);
  if (!keep) return out;
  const auto [first, last] = std::minmax(some[0], some[1]);
  return expand_dims(expand_dims(out, first, where), last, where);
}

}  // namespace

tensor vector_norm(const tensor& x, const axes& over, flag keep, double order, caller where) {
  const auto given = as_floats("vector_norm", x, where);
  over.mask(x.type(), "vector_norm", where);
  return of_vectors("vector_norm", given, over, keep, order, where);
}

tensor matrix_norm(const tensor& x, flag keep, const norm_order& order, caller where) {
  const auto given = detail::as_matrices("matrix_norm", x, where);
  const auto out = of_matrices("matrix_norm", given, order, where);
  return keep ? expand_dims(expand_dims(out, -1, where), -1, where) : out;
}

tensor norm(const tensor& x, const std::optional<norm_order>& order,
            const std::optional<axes>& over, flag keep, caller where) {
  const auto given = as_floats("norm", x, where);
  if (!order) return troupe::norm(given, over.value_or(axes()), keep, where);
  return norm_of_axes(given, *order, over.value_or(axes()).list(x.type(), "norm", where), keep,
                      where);
}

tensor cond(const tensor& x, const norm_order& order, caller where) {
  if (order.name().empty() && std::abs(order.number()) == 2) {
    const auto s = svdvals(detail::as_matrices("cond", x, where), where);
    if (s.shape()[-1] == 0) refuse_empty("cond", x, where);
    const auto greatest = squeeze(slice(s, -1, 0, 1, 1, where), -1, where);
    const auto least = squeeze(slice(s, -1, -1, {}, 1, where), -1, where);
    const auto ratio =
        order.number() > 0 ? divide(greatest, least, where) : divide(least, greatest, where);
    // A matrix of zeros: 0 / 0.
    return troupe::where(equal(greatest, 0., where), INFINITY, ratio, where);
  }
  const auto given = detail::as_square_matrices("cond", x, where);
  return multiply(of_matrices("cond", given, order, where),
                  of_matrices("cond", inv(given, where), order, where), where);
}

}  // namespace troupe::linalg
