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
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/searching.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/sorting.hpp"

namespace troupe {

namespace {

/// Returns the places in a vector of truths that are true, in order. Waits for their number.
tensor true_places(const char* what, const tensor& x, caller where) {
  const auto count = detail::integer_for(what, count_nonzero(x), where);
  return slice(argsort(x, 0, true), 0, 0, count);
}

/// The elements in order, and which of them are the first of equal ones.
struct runs {
  tensor order, sorted, first, begins;

  runs(const char* what, const tensor& x, caller where) {
    check_defined(what, x, where);
    const detail::on_behalf_of user(where);
    const auto flat = flatten(x);
    order = argsort(flat);
    sorted = take(flat, order);
    if (x.size() == 0) {
      first = zeros({0}, {.dtype = boolean, .device = x.device()});
      begins = order;
      return;
    }
    const auto left = slice(sorted, 0, 0, -1), right = slice(sorted, 0, 1, {});
    auto changes = not_equal(left, right);
    if (is_floating(x.dtype()))
      changes = logical_and(changes, logical_not(logical_and(isnan(left), isnan(right))));
    first = concatenate({full({1}, true, {.device = x.device()}), changes});
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
  const auto wanted = astype(x, element), sorted = sort(flatten(astype(values, element)));
  const auto places = minimum(searchsorted(sorted, wanted), values.size() - 1);
  return equal(take(sorted, places), wanted);
}

}  // namespace troupe
