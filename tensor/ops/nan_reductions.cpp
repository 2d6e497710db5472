// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/nan_reductions.hpp"

#include <limits>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Returns true for real and complex floats, which may be NaN. Throws for axes that are not there.
bool may_be_nan(std::string_view what, const tensor& x, const axes& over, caller where) {
  check_defined(what, x, where);
  over.mask(x.type(), what, where);
  return is_inexact(x.dtype());
}

/// The number of results, and the number of elements that make each of them.
struct result_sizes {
  std::int64_t results = 1, each = 1;

  result_sizes(const tensor& x, const axes& over) {
    const auto mask = over.mask(x.type(), "", {});
    for (int i = 0; i < x.rank(); ++i) (mask >> i & 1 ? each : results) *= x.shape()[i];
  }
};

/// Returns true for floats that may be NaN; throws also where there is nothing to choose from.
bool may_be_chosen(std::string_view what, const tensor& x, const axes& over, caller where) {
  const bool real = may_be_nan(what, x, over, where) && is_floating(x.dtype());
  const result_sizes sizes(x, over);
  if (sizes.each == 0 && sizes.results > 0)
    throw error(std::string(what) + ": no elements to choose from in " + to_string(x.type()),
                where);
  return real;
}

/// Sums and numbers of narrow floats are often too large for their dtype.
tensor widened(const tensor& x) { return is_narrow_float(x.dtype()) ? astype(x, float32) : x; }

tensor without_nan(const tensor& x, double instead) { return where(isnan(x), instead, x); }

tensor number_of(const tensor& x, const axes& over, flag keep) {
  return astype(sum(logical_not(isnan(x)), over, keep), real_of(x.dtype()));
}

tensor mean_of(const tensor& x, const axes& over, flag keep) {
  return sum(without_nan(x, 0), over, keep) / number_of(x, over, keep);
}

tensor variance(const tensor& x, const axes& over, int ddof, flag keep) {
  if (!is_inexact(x.dtype())) {
    const auto all = var(x, over, ddof, keep);
    return result_sizes(x, over).each > ddof ? all : full_like(all, nan);
  }
  const auto apart = where(isnan(x), 0., x - mean_of(x, over, keepdims));
  const auto divisor = number_of(x, over, keep) - static_cast<double>(ddof);
  const auto squares = is_complex(x.dtype()) ? real(apart * conj(apart)) : apart * apart;
  return sum(squares, over, keep) / where(divisor > 0., divisor, nan);
}

axes one_axis(optional_axis axis) { return axis ? axes(*axis) : axes(); }

/// Returns where the elements that `choose` finds are.
template <class Choose>
tensor position_of(const tensor& x, optional_axis axis, flag keep, const Choose& choose) {
  const auto over = one_axis(axis);
  const auto first = argmax(equal(x, choose(x, over)), axis, keep);
  return where(all(isnan(x), over, keep), -1, first);
}

}  // namespace

tensor nansum(const tensor& x, const axes& over, flag keep, caller where) {
  if (!may_be_nan("nansum", x, over, where)) return sum(x, over, keep, where);
  const detail::on_behalf_of user(where);
  return sum(without_nan(x, 0), over, keep);
}

tensor nanprod(const tensor& x, const axes& over, flag keep, caller where) {
  if (!may_be_nan("nanprod", x, over, where)) return prod(x, over, keep, where);
  const detail::on_behalf_of user(where);
  return prod(without_nan(x, 1), over, keep);
}

tensor nanmean(const tensor& x, const axes& over, flag keep, caller where) {
  if (!may_be_nan("nanmean", x, over, where)) return mean(x, over, keep, where);
  const detail::on_behalf_of user(where);
  return astype(mean_of(widened(x), over, keep), x.dtype());
}

tensor nanmax(const tensor& x, const axes& over, flag keep, caller where) {
  if (!may_be_chosen("nanmax", x, over, where)) return max(x, over, keep, where);
  const detail::on_behalf_of user(where);
  const auto found = max(without_nan(x, -inf), over, keep);
  return troupe::where(all(isnan(x), over, keep), nan, found);
}

tensor nanmin(const tensor& x, const axes& over, flag keep, caller where) {
  if (!may_be_chosen("nanmin", x, over, where)) return min(x, over, keep, where);
  const detail::on_behalf_of user(where);
  const auto found = min(without_nan(x, inf), over, keep);
  return troupe::where(all(isnan(x), over, keep), nan, found);
}

tensor nanvar(const tensor& x, const axes& over, detail::ddof_or_keep ddof, flag keep,
              caller where) {
  may_be_nan("nanvar", x, over, where);
  const detail::on_behalf_of user(where);
  const auto out = variance(widened(x), over, ddof.ddof(), keep || ddof.keep());
  return is_narrow_float(x.dtype()) ? astype(out, x.dtype()) : out;
}

tensor nanstddev(const tensor& x, const axes& over, detail::ddof_or_keep ddof, flag keep,
                 caller where) {
  may_be_nan("nanstddev", x, over, where);
  const detail::on_behalf_of user(where);
  const auto out =
      detail::root_of_squares(variance(widened(x), over, ddof.ddof(), keep || ddof.keep()));
  return is_narrow_float(x.dtype()) ? astype(out, x.dtype()) : out;
}

tensor nanargmax(const tensor& x, optional_axis axis, flag keep, caller where) {
  if (!may_be_chosen("nanargmax", x, one_axis(axis), where)) return argmax(x, axis, keep, where);
  const detail::on_behalf_of user(where);
  return position_of(x, axis, keep, [](const tensor& y, const axes& over) {
    return max(without_nan(y, -inf), over, keepdims);
  });
}

tensor nanargmin(const tensor& x, optional_axis axis, flag keep, caller where) {
  if (!may_be_chosen("nanargmin", x, one_axis(axis), where)) return argmin(x, axis, keep, where);
  const detail::on_behalf_of user(where);
  return position_of(x, axis, keep, [](const tensor& y, const axes& over) {
    return min(without_nan(y, inf), over, keepdims);
  });
}

tensor nancumsum(const tensor& x, optional_axis axis, caller where) {
  if (!may_be_nan("nancumsum", x, one_axis(axis), where)) return cumsum(x, axis, where);
  const detail::on_behalf_of user(where);
  return cumsum(without_nan(x, 0), axis);
}

tensor nancumprod(const tensor& x, optional_axis axis, caller where) {
  if (!may_be_nan("nancumprod", x, one_axis(axis), where)) return cumprod(x, axis, where);
  const detail::on_behalf_of user(where);
  return cumprod(without_nan(x, 1), axis);
}

}  // namespace troupe
