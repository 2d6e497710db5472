// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/sets.hpp"

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/put.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/searching.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/sorting.hpp"

namespace troupe {

namespace {

constexpr std::int64_t few_values = 8;  // that are compared with, each at a time

/// Returns the places in a vector of truths that are true, in order. Waits for their number.
tensor true_places(const char* what, const tensor& x, caller where) {
  return true_positions(x, where, what);
}

/// Returns the places of the elements of a vector in order, equal ones one after the other: complex
/// numbers by their real parts, then by their imaginary ones, those with NaN last, as NumPy has it.
tensor places_in_order(const tensor& flat) {
  if (!is_complex(flat.dtype())) return argsort(flat);
  const auto re = real(flat) + 0.0, im = imag(flat) + 0.0;  // 0 and -0 are equal
  tensor order = argsort(im);
  const auto then_by = [&](const tensor& key) { order = take(order, argsort(take(key, order))); };
  then_by(re);
  then_by(2 * astype(isnan(re), int32) + astype(isnan(im), int32));
  return order;
}

/// Returns for each element of a vector in such an order, but the first, if it differs from the one
/// before it.
tensor changes_of(const tensor& sorted, bool nan_differs) {
  const auto left = slice(sorted, 0, 0, -1), right = slice(sorted, 0, 1, {});
  const auto changes = not_equal(left, right);
  if (nan_differs || !is_inexact(sorted.dtype())) return changes;
  return logical_and(changes, logical_not(logical_and(isnan(left), isnan(right))));
}

/// The elements in order, and which of them are the first of equal ones.
struct runs {
  tensor order, sorted, first, begins;

  runs(const char* what, const tensor& x, caller where) {
    check_defined(what, x, where);
    const detail::on_behalf_of user(where);
    const auto flat = flatten(x);
    order = places_in_order(flat);
    sorted = take(flat, order);
    if (x.size() == 0) {
      first = zeros({0}, {.dtype = boolean, .device = x.device()});
      begins = order;
      return;
    }
    first = concatenate({full({1}, true, {.device = x.device()}), changes_of(sorted, false)});
    begins = true_places(what, first, where);
  }

  tensor values() const { return take(sorted, begins); }
  tensor indices() const { return take(order, begins); }
  tensor counts() const {
    const auto size = full({1}, sorted.size(), {.device = sorted.device()});
    return diff(concatenate({begins, size}));
  }
  tensor inverse(const shape& dims) const {
    const auto numbers = cumsum(first) - 1;
    return reshape(take(numbers, argsort(order)), dims);
  }
};

/// Returns for each of some complex numbers whether it is among others. Of equal ones, in order,
/// those that are looked for come behind one of the others, or not.
tensor among(const tensor& x, const tensor& values) {
  const auto all = concatenate({values, x});
  const auto order = places_in_order(all), sorted = take(all, order);
  const tensor_options like{.device = x.device()};
  const auto first = concatenate({full({1}, true, like), changes_of(sorted, true)});
  const auto begins = cummax(where(first, arange(all.size(), like), 0), 0);
  const auto found = less(take(order, begins), values.size());
  return slice(take(found, argsort(order)), 0, values.size(), {});
}

}  // namespace

std::vector<tensor> nonzero(const tensor& x, caller where) {
  check_defined("nonzero", x, where);
  if (x.rank() == 0) throw error("nonzero: there are no axes in " + to_string(x.type()), where);
  const detail::on_behalf_of user(where);
  auto rest = true_places("nonzero", not_equal(flatten(x), false), where);
  std::vector<tensor> out(static_cast<std::size_t>(x.rank()));
  for (int axis = x.rank() - 1; axis > 0; --axis) {
    const auto size = x.shape()[axis];
    out[static_cast<std::size_t>(axis)] = remainder(rest, size);
    rest = floor_divide(rest, size);
  }
  out[0] = rest;
  return out;
}

tensor unique(const tensor& x, caller where) {
  const runs all("unique", x, where);
  const detail::on_behalf_of user(where);
  return all.values();
}

unique_counts_result unique_counts(const tensor& x, caller where) {
  const runs all("unique_counts", x, where);
  const detail::on_behalf_of user(where);
  return {all.values(), all.counts()};
}

unique_inverse_result unique_inverse(const tensor& x, caller where) {
  const runs all("unique_inverse", x, where);
  const detail::on_behalf_of user(where);
  return {all.values(), all.inverse(x.shape())};
}

unique_all_result unique_all(const tensor& x, caller where) {
  const runs all("unique_all", x, where);
  const detail::on_behalf_of user(where);
  return {all.values(), all.indices(), all.inverse(x.shape()), all.counts()};
}

tensor isin(const tensor& x, const tensor& values, caller where) {
  const tensor* const inputs[] = {&x, &values};
  common_home("isin", inputs, where);
  const detail::on_behalf_of user(where);
  if (values.size() == 0) return full(x.shape(), false, {.device = x.device()});
  const auto element = promote(x.dtype(), values.dtype());
  if (is_complex(element)) {
    if (x.size() == 0) return full(x.shape(), false, {.device = x.device()});
    return reshape(among(flatten(astype(x, element)), flatten(astype(values, element))), x.shape());
  }
  const auto wanted = astype(x, element);
  if (values.size() <= few_values) {
    const auto all = flatten(astype(values, element));
    auto found = equal(wanted, all[0]);
    for (std::int64_t i = 1; i < all.size(); ++i) found = found | equal(wanted, all[i]);
    return found;
  }
  const auto sorted = sort(flatten(astype(values, element)));
  const auto places = minimum(searchsorted(sorted, wanted), values.size() - 1);
  return equal(take(sorted, places), wanted);
}

tensor union1d(const tensor& x, const tensor& y, caller where) {
  const tensor* const inputs[] = {&x, &y};
  common_home("union1d", inputs, where);
  const detail::on_behalf_of user(where);
  return unique(concatenate({flatten(x), flatten(y)}), where);
}

tensor intersect1d(const tensor& x, const tensor& y, caller where) {
  const tensor* const inputs[] = {&x, &y};
  common_home("intersect1d", inputs, where);
  const auto element = promote(x.dtype(), y.dtype());
  const detail::on_behalf_of user(where);
  const auto all = unique(astype(x, element), where);
  return take(all, true_places("intersect1d", isin(all, y), where));
}

tensor setdiff1d(const tensor& x, const tensor& y, caller where) {
  const tensor* const inputs[] = {&x, &y};
  common_home("setdiff1d", inputs, where);
  const detail::on_behalf_of user(where);
  const auto all = unique(x, where);
  return take(all, true_places("setdiff1d", logical_not(isin(all, y)), where));
}

}  // namespace troupe
