// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/norms.hpp"

#include <bit>
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
  return is_floating(x.dtype()) ? x : astype(x, float64, where);
}

[[noreturn]] void refuse_order(std::string_view what, const norm_order& order, caller where) {
  const auto text = order.name().empty() ? real_text(order.number()) : std::string(order.name());
  throw error(std::string(what) + ": the order " + text +
                  " is none of fro, nuc, 1, -1, 2, -2, inf and -inf",
              where);
}

/// Returns the norms of the last two axes, which go away.
tensor of_matrices(std::string_view what, const tensor& x, const norm_order& order, caller where) {
  if (order.name() == "fro") return troupe::norm(x, {-2, -1}, false, where);
  if (order.name() == "nuc") return sum(svdvals(x, where), -1, false, where);
  if (!order.name().empty()) refuse_order(what, order, where);
  const double p = order.number();
  const bool greatest = p > 0;
  const auto choose = [&](const tensor& some) {
    return greatest ? max(some, -1, false, where) : min(some, -1, false, where);
  };
  if (std::abs(p) == 2) return choose(svdvals(x, where));
  if (std::abs(p) == 1) return choose(sum(abs(x, where), -2, false, where));
  if (std::isinf(p)) return choose(sum(abs(x, where), -1, false, where));
  refuse_order(what, order, where);
}

/// Returns the axes of a mask.
std::vector<int> axes_of(std::uint32_t mask) {
  std::vector<int> out;
  for (int i = 0; i < max_rank; ++i) {
    if ((mask >> i & 1) != 0) out.push_back(i);
  }
  return out;
}

tensor norm_of_axes(const tensor& x, const norm_order& order, std::uint32_t mask, bool keep,
                    caller where) {
  const auto some = axes_of(mask);
  if (some.size() == 1) {
    if (!order.name().empty())
      throw error("norm: the order " + std::string(order.name()) + " is for matrices, not for " +
                      to_string(x.type()),
                  where);
    return vector_norm(x, some[0], keep, order.number(), where);
  }
  if (some.size() != 2)
    throw error("norm: an order is for one axis or two, not for " + std::to_string(some.size()) +
                    " of " + to_string(x.type()),
                where);
  const auto out = of_matrices("norm", moveaxis(x, some, std::vector{-2, -1}, where), order, where);
  return keep ? expand_dims(expand_dims(out, some[0], where), some[1], where) : out;
}

}  // namespace

tensor vector_norm(const tensor& x, const axes& over, bool keep, double order, caller where) {
  const auto given = as_floats("vector_norm", x, where);
  over.mask(x.type(), "vector_norm", where);
  if (order == 2) return troupe::norm(given, over, keep, where);
  const auto sizes = abs(given, where);
  if (std::isinf(order))
    return order > 0 ? max(sizes, over, keep, where) : min(sizes, over, keep, where);
  if (order == 0) return astype(count_nonzero(given, over, keep, where), given.dtype(), where);
  if (order == 1) return sum(sizes, over, keep, where);
  return power(sum(power(sizes, order, where), over, keep, where), 1 / order, where);
}

tensor matrix_norm(const tensor& x, bool keep, const norm_order& order, caller where) {
  const auto given = detail::as_matrices("matrix_norm", x, where);
  const auto out = of_matrices("matrix_norm", given, order, where);
  return keep ? expand_dims(expand_dims(out, -1, where), -1, where) : out;
}

tensor norm(const tensor& x, const std::optional<norm_order>& order,
            const std::optional<axes>& over, bool keep, caller where) {
  const auto given = as_floats("norm", x, where);
  if (!order) return troupe::norm(given, over.value_or(axes()), keep, where);
  return norm_of_axes(given, *order, over.value_or(axes()).mask(x.type(), "norm", where), keep,
                      where);
}

tensor cond(const tensor& x, const norm_order& order, caller where) {
  if (order.name().empty() && std::abs(order.number()) == 2) {
    const auto s = svdvals(detail::as_matrices("cond", x, where), where);
    const auto greatest = slice(s, -1, 0, 1, 1, where), least = slice(s, -1, -1, {}, 1, where);
    return squeeze(
        order.number() > 0 ? divide(greatest, least, where) : divide(least, greatest, where), -1,
        where);
  }
  const auto given = detail::as_square_matrices("cond", x, where);
  return multiply(of_matrices("cond", given, order, where),
                  of_matrices("cond", inv(given, where), order, where), where);
}

}  // namespace troupe::linalg
