// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/nan_reductions.hpp"

#include <limits>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Returns true for floats, which may be NaN. Throws for axes that are not there.
bool may_be_nan(std::string_view what, const tensor& x, const axes& over, caller where) {
  check_defined(what, x, where);
  over.mask(x.type(), what, where);
  return is_floating(x.dtype());
}

tensor without_nan(const tensor& x, double instead) { return where(isnan(x), instead, x); }

tensor number_of(const tensor& x, const axes& over, bool keep) {
  return astype(sum(logical_not(isnan(x)), over, keep), x.dtype());
}

}  // namespace

tensor nansum(const tensor& x, const axes& over, bool keep, caller where) {
  if (!may_be_nan("nansum", x, over, where)) return sum(x, over, keep, where);
  const detail::on_behalf_of user(where);
  return sum(without_nan(x, 0), over, keep);
}

tensor nanprod(const tensor& x, const axes& over, bool keep, caller where) {
  if (!may_be_nan("nanprod", x, over, where)) return prod(x, over, keep, where);
  const detail::on_behalf_of user(where);
  return prod(without_nan(x, 1), over, keep);
}

tensor nanmean(const tensor& x, const axes& over, bool keep, caller where) {
  if (!may_be_nan("nanmean", x, over, where)) return mean(x, over, keep, where);
  const detail::on_behalf_of user(where);
  return sum(without_nan(x, 0), over, keep) / number_of(x, over, keep);
}

tensor nanmax(const tensor& x, const axes& over, bool keep, caller where) {
  if (!may_be_nan("nanmax", x, over, where)) return max(x, over, keep, where);
  const detail::on_behalf_of user(where);
  const auto found = max(without_nan(x, -inf), over, keep, where);
  return troupe::where(all(isnan(x), over, keep), nan, found);
}

tensor nanmin(const tensor& x, const axes& over, bool keep, caller where) {
  if (!may_be_nan("nanmin", x, over, where)) return min(x, over, keep, where);
  const detail::on_behalf_of user(where);
  const auto found = min(without_nan(x, inf), over, keep, where);
  return troupe::where(all(isnan(x), over, keep), nan, found);
}

tensor nanvar(const tensor& x, const axes& over, int ddof, bool keep, caller where) {
  if (!may_be_nan("nanvar", x, over, where)) return var(x, over, ddof, keep, where);
  const detail::on_behalf_of user(where);
  const auto apart = troupe::where(isnan(x), 0., x - nanmean(x, over, keepdims));
  const auto divisor = number_of(x, over, keep) - static_cast<double>(ddof);
  return sum(apart * apart, over, keep) / troupe::where(divisor > 0., divisor, nan);
}

tensor nanstddev(const tensor& x, const axes& over, int ddof, bool keep, caller where) {
  if (!may_be_nan("nanstd", x, over, where)) return stddev(x, over, ddof, keep, where);
  const detail::on_behalf_of user(where);
  return sqrt(nanvar(x, over, ddof, keep));
}

}  // namespace troupe
