// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/histogram.hpp"

#include <algorithm>
#include <cmath>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tensor/ops/searching.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/sorting.hpp"

namespace troupe {

namespace {

constexpr auto too_many = std::int64_t{1} << 48;  // bins

void check_range(const std::optional<std::pair<double, double>>& range, caller where) {
  if (!range) return;
  const auto [low, high] = *range;
  if (std::isfinite(low) && std::isfinite(high) && low <= high) return;
  throw error("histogram: no range: " + real_text(low) + " to " + real_text(high), where);
}

/// The edges of the bins, in float64.
tensor edges_of(const tensor& x, std::int64_t bins,
                const std::optional<std::pair<double, double>>& range) {
  const bool empty = !range && x.size() == 0;
  const tensor_options options{.dtype = float64, .device = x.device()};
  const auto real = astype(x, float64);
  auto low = range ? full({}, range->first, options) : empty ? full({}, 0., options) : min(real);
  auto high = range ? full({}, range->second, options) : empty ? full({}, 1., options) : max(real);
  const auto apart = where(equal(low, high), 0.5, full({}, 0., options));
  low = low - apart;
  high = high + apart;
  const auto inner = arange(0, bins, 1, options) * ((high - low) / bins) + low;
  return concatenate({inner, reshape(high, {1})});
}

/// A range may be beyond narrow floats.
tensor as_floats(const tensor& x) {
  return is_narrow_float(x.dtype()) ? astype(x, float32)
         : is_floating(x.dtype())   ? x
                                    : astype(x, float64);
}

tensor counts_between(const tensor& x, const tensor& edges) {
  const auto sorted = sort(flatten(x));
  const auto bins = edges.size() - 1;
  const auto last = searchsorted(sorted, slice(edges, 0, bins, {}), "right");
  const auto begins = searchsorted(sorted, slice(edges, 0, 0, bins));
  return diff(concatenate({begins, last}));
}

/// Returns the number of numbers that are counted. Waits for `x`.
std::int64_t check_labels(const tensor& x, std::int64_t least, caller where) {
  check_defined("bincount", x, where);
  if (x.rank() != 1 || !(is_integer(x.dtype()) || x.dtype() == boolean))
    throw error("bincount: not a vector of integers: " + to_string(x.type()), where);
  if (least < 0) throw error("bincount: negative least number " + std::to_string(least), where);
  if (least >= too_many)
    throw error("bincount: the least number " + std::to_string(least) + " is too large", where);
  if (x.size() == 0) return least;
  const detail::on_behalf_of user(where);
  const auto first = min(x), last = max(x);
  const auto low = detail::integer_for("bincount", first, where);
  const auto high = detail::integer_for("bincount", last, where);
  if (low < 0)
    throw error("bincount: there is " + std::to_string(low) + " in " + to_string(x.type()), where);
  if (high >= too_many) throw error("bincount: " + std::to_string(high) + " is too large", where);
  return std::max(least, high + 1);
}

}  // namespace

histogram_result histogram(const tensor& x, std::int64_t bins,
                           std::optional<std::pair<double, double>> range, caller where) {
  check_defined("histogram", x, where);
  if (bins < 1) throw error("histogram: " + std::to_string(bins) + " bins", where);
  if (bins >= too_many)
    throw error("histogram: " + std::to_string(bins) + " bins are too many", where);
  check_range(range, where);
  const detail::on_behalf_of user(where);
  const auto real = as_floats(x);
  const auto edges = astype(edges_of(real, bins, range), real.dtype());
  return {troupe::where(all(isfinite(edges)), counts_between(real, edges), 0), edges};
}

histogram_result histogram(const tensor& x, const tensor& edges, caller where) {
  const tensor* const inputs[] = {&x, &edges};
  common_home("histogram", inputs, where);
  if (edges.rank() != 1 || edges.size() < 2 || is_complex(edges.dtype()))
    throw error("histogram: no edges of bins: " + to_string(edges.type()), where);
  const detail::on_behalf_of user(where);
  const auto real = as_floats(x), between = as_floats(edges);
  const auto common = promote(real.dtype(), between.dtype());
  return {counts_between(astype(real, common), astype(between, common)), between};
}

tensor bincount(const tensor& x, const tensor& weights, std::int64_t least, caller where) {
  if (weights.defined()) {
    const tensor* const inputs[] = {&x, &weights};
    common_home("bincount", inputs, where);
    const tensor_type types[] = {x.type(), weights.type()};
    if (x.shape() != weights.shape())
      refuse("bincount", "not a weight for each element", types, where);
  }
  const auto count = check_labels(x, least, where);
  const detail::on_behalf_of user(where);
  const auto labels = x.dtype() == boolean ? astype(x, int64) : x;
  if (weights.defined()) return index_add(astype(weights, float64), labels, 0, count);
  const auto each = ones({x.size()}, {.dtype = float64, .device = x.device()});
  return astype(index_add(each, labels, 0, count), int64);
}

}  // namespace troupe
