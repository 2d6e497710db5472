// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <optional>
#include <span>

#include "troupe/tensor/tensor.hpp"

/// Numbers below which a share of the elements lies, along an axis or among all. Between two
/// elements they are interpolated linearly. Of bool and integers: float64. NaN if one element is
/// NaN, and between -infinity and infinity. They throw for an axis that is not there, and for no
/// elements.

namespace troupe {

/// The middle element in order, or the mean of the middle two.
tensor median(const tensor& x, optional_axis axis = {}, flag keep = false,
              caller where = caller::current());
/// The number below which the share `q` of the elements lies. Throws unless 0 <= q <= 1.
tensor quantile(const tensor& x, double q, optional_axis axis = {}, flag keep = false,
                caller where = caller::current());
/// Several of them, along a new first axis. Throws for none.
tensor quantile(const tensor& x, std::span<const double> q, optional_axis axis = {},
                flag keep = false, caller where = caller::current());
inline tensor quantile(const tensor& x, std::initializer_list<double> q, optional_axis axis = {},
                       flag keep = false, caller where = caller::current()) {
  return quantile(x, std::span(q.begin(), q.size()), axis, keep, where);
}
/// The same for `q` out of a hundred.
tensor percentile(const tensor& x, double q, optional_axis axis = {}, flag keep = false,
                  caller where = caller::current());
tensor percentile(const tensor& x, std::span<const double> q, optional_axis axis = {},
                  flag keep = false, caller where = caller::current());
inline tensor percentile(const tensor& x, std::initializer_list<double> q, optional_axis axis = {},
                         flag keep = false, caller where = caller::current()) {
  return percentile(x, std::span(q.begin(), q.size()), axis, keep, where);
}

/// The same of the elements that are not NaN; NaN where all are.
tensor nanmedian(const tensor& x, optional_axis axis = {}, flag keep = false,
                 caller where = caller::current());
tensor nanquantile(const tensor& x, double q, optional_axis axis = {}, flag keep = false,
                   caller where = caller::current());
tensor nanquantile(const tensor& x, std::span<const double> q, optional_axis axis = {},
                   flag keep = false, caller where = caller::current());
inline tensor nanquantile(const tensor& x, std::initializer_list<double> q, optional_axis axis = {},
                          flag keep = false, caller where = caller::current()) {
  return nanquantile(x, std::span(q.begin(), q.size()), axis, keep, where);
}
tensor nanpercentile(const tensor& x, double q, optional_axis axis = {}, flag keep = false,
                     caller where = caller::current());
tensor nanpercentile(const tensor& x, std::span<const double> q, optional_axis axis = {},
                     flag keep = false, caller where = caller::current());
inline tensor nanpercentile(const tensor& x, std::initializer_list<double> q,
                            optional_axis axis = {}, flag keep = false,
                            caller where = caller::current()) {
  return nanpercentile(x, std::span(q.begin(), q.size()), axis, keep, where);
}

}  // namespace troupe
