// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/quantiles.hpp"

#include <cmath>
#include <vector>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/sorting.hpp"

namespace troupe {

namespace {

/// Elements in order along the last axis, as floats.
class ordered_elements {
 public:
  ordered_elements(std::string_view what, const tensor& x, optional_axis axis, flag keep,
                   caller where)
      : axis_(axis), rank_(0), keep_(keep) {
    check_defined(what, x, where);
    const tensor_type types[] = {x.type()};
    if (is_complex(x.dtype())) refuse(what, "complex numbers have no order", types, where);
    rank_ = x.rank();
    if (axis) axis_ = detail::checked_axis(*axis, x.rank(), x.type(), what, where);
    if ((axis_ ? x.shape()[*axis_] : x.size()) == 0)
      throw error(std::string(what) + ": no elements to choose from in " + to_string(x.type()),
                  where);
    const detail::on_behalf_of user(where);
    const auto real = is_floating(x.dtype()) ? x : astype(x, float64);
    rows_ = sort(axis_ ? moveaxis(real, *axis_, -1) : flatten(real));
  }

  /// Returns the same as `at` of the elements that are not NaN, which come first.
  tensor at_without_nan(double q) const {
    const auto last = sum(logical_not(isnan(rows_)), -1, keepdims) - 1;
    const auto place = astype(last, float64) * q;
    const auto below = astype(maximum(floor(place), 0.), int64);  // of no elements: NaN
    const auto part = astype(place - astype(below, float64), rows_.dtype());
    const auto lower = take_along_axis(rows_, below, -1);
    const auto upper = take_along_axis(rows_, minimum(below + 1, maximum(last, 0)), -1);
    const auto apart = upper - lower;
    const auto nearer = where(less(part, 0.5), lower + apart * part, upper - apart * (1 - part));
    const auto between = where(isfinite(apart), nearer, lower * (1 - part) + upper * part);
    return kept(squeeze(where(equal(part, 0.), lower, between), -1));
  }

  tensor at(double q) const {
    const auto last = rows_.shape()[rows_.rank() - 1] - 1;
    const auto place = q * static_cast<double>(last);
    const auto below = static_cast<std::int64_t>(place);
    const auto part = place - static_cast<double>(below);
    const auto lower = element(below), end = element(last);
    auto out = lower;
    if (part > 0) {
      const auto upper = element(below + 1), apart = upper - lower;
      // From the nearer side, so that the result is never beyond either.
      const auto nearer = part < 0.5 ? lower + apart * part : upper - apart * (1 - part);
      out = where(isfinite(apart), nearer, lower * (1 - part) + upper * part);
    }
    return kept(where(isnan(end), end, out));  // NaN comes last
  }

 private:
  tensor element(std::int64_t i) const { return squeeze(slice(rows_, -1, i, i + 1), -1); }
  tensor kept(const tensor& x) const {
    if (!keep_) return x;
    if (axis_) return expand_dims(x, *axis_);
    shape ones;
    for (int i = 0; i < rank_; ++i) ones.push_back(1);
    return reshape(x, ones);
  }

  std::optional<int> axis_;
  int rank_;
  bool keep_;
  tensor rows_;
};

void check_shares(std::string_view what, std::span<const double> q, double whole, caller where) {
  if (q.empty()) throw error(std::string(what) + ": no q is given", where);
  for (const auto one : q) {
    if (one >= 0 && one <= whole) continue;
    throw error(std::string(what) + ": q is from 0 to " + std::to_string(std::llround(whole)) +
                    ", not " + real_text(one),
                where);
  }
}

/// A function of this family: its name, what a whole is of which q is a share, and its way to a
/// result.
struct share_function {
  std::string_view what;
  double whole;
  tensor (ordered_elements::*at)(double) const = &ordered_elements::at;
};

constexpr auto skipping_nan = &ordered_elements::at_without_nan;

tensor one_of(const share_function& f, const tensor& x, double q, optional_axis axis, flag keep,
              caller where) {
  check_shares(f.what, {&q, 1}, f.whole, where);
  const ordered_elements all(f.what, x, axis, keep, where);
  const detail::on_behalf_of user(where);
  return (all.*f.at)(q / f.whole);
}

tensor several_of(const share_function& f, const tensor& x, std::span<const double> q,
                  optional_axis axis, flag keep, caller where) {
  check_shares(f.what, q, f.whole, where);
  const ordered_elements all(f.what, x, axis, keep, where);
  if (keep && x.rank() == max_rank)
    throw error(std::string(f.what) + ": with one for each q, " + to_string(x.type()) +
                    " has more axes than are possible",
                where);
  std::vector<tensor> parts;
  const detail::on_behalf_of user(where);
  for (const auto one : q) parts.push_back((all.*f.at)(one / f.whole));
  return stack(parts, 0, where);
}

}  // namespace

tensor median(const tensor& x, optional_axis axis, flag keep, caller where) {
  return one_of({"median", 1}, x, 0.5, axis, keep, where);
}

tensor quantile(const tensor& x, double q, optional_axis axis, flag keep, caller where) {
  return one_of({"quantile", 1}, x, q, axis, keep, where);
}

tensor quantile(const tensor& x, std::span<const double> q, optional_axis axis, flag keep,
                caller where) {
  return several_of({"quantile", 1}, x, q, axis, keep, where);
}

tensor percentile(const tensor& x, double q, optional_axis axis, flag keep, caller where) {
  return one_of({"percentile", 100}, x, q, axis, keep, where);
}

tensor percentile(const tensor& x, std::span<const double> q, optional_axis axis, flag keep,
                  caller where) {
  return several_of({"percentile", 100}, x, q, axis, keep, where);
}

tensor nanmedian(const tensor& x, optional_axis axis, flag keep, caller where) {
  return one_of({"nanmedian", 1, skipping_nan}, x, 0.5, axis, keep, where);
}

tensor nanquantile(const tensor& x, double q, optional_axis axis, flag keep, caller where) {
  return one_of({"nanquantile", 1, skipping_nan}, x, q, axis, keep, where);
}

tensor nanquantile(const tensor& x, std::span<const double> q, optional_axis axis, flag keep,
                   caller where) {
  return several_of({"nanquantile", 1, skipping_nan}, x, q, axis, keep, where);
}

tensor nanpercentile(const tensor& x, double q, optional_axis axis, flag keep, caller where) {
  return one_of({"nanpercentile", 100, skipping_nan}, x, q, axis, keep, where);
}

tensor nanpercentile(const tensor& x, std::span<const double> q, optional_axis axis, flag keep,
                     caller where) {
  return several_of({"nanpercentile", 100, skipping_nan}, x, q, axis, keep, where);
}

}  // namespace troupe
