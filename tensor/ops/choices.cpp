// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/choices.hpp"

#include <cmath>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/distributions.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random_numbers.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/searching.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/sorting.hpp"

namespace troupe {

namespace {

tensor in_integers(const tensor& positions, const random_options& options, std::string_view what,
                   caller where) {
  const auto element = options.dtype.value_or(int64);
  if (!is_integer(element))
    throw error(std::string(what) + ": positions have no dtype " + std::string(name(element)),
                where);
  return element == int64 ? positions : astype(positions, element, where);
}

tensor random_keys(std::int64_t n, device place, caller where) {
  return randint(shape({n}, where), INT64_MIN, INT64_MAX, {.dtype = int64, .device = place}, where);
}

/// Returns 0, 1, ... in a random order.
tensor random_order(std::int64_t n, device place, caller where) {
  return argsort(random_keys(n, place, where), 0, false, where);
}

/// Returns so many of them.
tensor some_in_random_order(std::int64_t n, std::int64_t count, device place, caller where) {
  constexpr std::int64_t few = 8;  // of which one is quicker selected than all are sorted
  if (count > n / few) return slice(random_order(n, place, where), 0, 0, count, 1, where);
  return argtopk(random_keys(n, place, where), count, 0, where);
}

void check_place(std::string_view what, const std::optional<device>& wanted, device place,
                 caller where) {
  if (wanted.value_or(place) != place)
    throw error(std::string(what) + ": weights or elements on " + to_string(place) +
                    " for choices on " + to_string(*wanted),
                where);
}

/// Returns positions, but `length` where the score is none of something that can be chosen.
tensor possible(const tensor& positions, const tensor& scores, std::int64_t length, caller where) {
  return troupe::where(greater(scores, -INFINITY, where), positions, length, where);
}

/// Chooses by the inverse of the distribution function.
tensor weighted(const tensor& weights, const shape& sizes, caller where) {
  const auto n = weights.shape()[0];
  const auto valid = troupe::where(greater_equal(weights, 0., where), weights, NAN, where);
  const auto sums = cumsum(valid, 0, where);
  const auto total = reshape(slice(sums, 0, n - 1, n, 1, where), shape{}, where);
  const auto u = uniform(sizes, 0, 1, {.dtype = float64, .device = weights.device()}, where);
  return searchsorted(sums, multiply(u, total, where), "right", where);
}

/// Chooses without replacement: P. S. Efraimidis, P. G. Spirakis, "Weighted random sampling with a
/// reservoir" (2006), in logarithms.
tensor weighted_apart(const tensor& weights, std::int64_t count, caller where) {
  const auto noise =
      gumbel(weights.shape(), 0, 1, {.dtype = float64, .device = weights.device()}, where);
  const auto scores = add(log(weights, where), noise, where);
  const auto best = argtopk(scores, count, 0, where);
  return possible(best, take(scores, best, 0, where), weights.shape()[0], where);
}

tensor chosen_positions(std::int64_t n, const shape& sizes, const choice_options& options,
                        device place, caller where) {
  const numbers_of_key from(options.key);
  const auto count = sizes.size();
  if (n < 0 || (n == 0 && count > 0))
    throw error("choice: there are " + std::to_string(n) + " to choose from", where);
  if (!options.replace && count > n)
    throw error(
        "choice: " + std::to_string(count) + " of " + std::to_string(n) + " without replacement",
        where);
  if (options.p.defined()) {
    const tensor_type types[] = {options.p.type()};
    if (options.p.shape() != shape{n})
      refuse("choice", "p is to be [" + std::to_string(n) + "]", types, where);
    check_place("choice", place, options.p.device(), where);
  }
  if (count == 0) return zeros(sizes, {.dtype = int64, .device = place}, where);
  if (options.p.defined()) {
    const auto weights = astype(options.p.detach(), float64, where);
    if (options.replace) return weighted(weights, sizes, where);
    return reshape(weighted_apart(weights, count, where), sizes, where);
  }
  if (options.replace) return randint(sizes, 0, n, {.dtype = int64, .device = place}, where);
  return reshape(some_in_random_order(n, count, place, where), sizes, where);
}

}  // namespace

tensor categorical(const tensor& weights, int axis, weights_as kind,
                   const std::optional<shape>& sizes, const random_options& options, caller where) {
  constexpr std::string_view what = "categorical";
  check_defined(what, weights, where);
  const numbers_of_key from(options.key);
  const tensor_type types[] = {weights.type()};
  const int at = detail::checked_axis(axis, weights.rank(), types[0], what, where);
  const auto n = weights.shape()[at];
  if (n == 0) refuse(what, "nothing to choose from", types, where);
  check_place(what, options.device, weights.device(), where);
  const auto numbers_of = [&](const tensor& x) { return in_integers(x, options, what, where); };
  if (weights.rank() == 1) {  // one row for all choices needs no noise for each weight
    auto one = astype(weights.detach(), float64, where);
    if (kind == weights_as::logarithms)
      one = exp(subtract(one, max(one, {}, false, where), where), where);
    return numbers_of(weighted(one, sizes.value_or(shape{}), where));
  }
  auto logits = moveaxis(astype(weights.detach(), float64, where), at, -1, where);
  if (kind == weights_as::probabilities) logits = log(logits, where);
  shape batch;
  for (int i = 0; i + 1 < logits.rank(); ++i) batch.push_back(logits.shape()[i]);
  shape whole = sizes.value_or(batch);
  if (whole.rank() == max_rank || broadcast(batch, whole) != whole)
    refuse(what, "does not broadcast to " + to_string(whole), types, where);
  whole.push_back(n);
  const auto scores = add(
      gumbel(whole, 0, 1, {.dtype = float64, .device = weights.device()}, where), logits, where);
  const auto best =
      possible(argmax(scores, -1, false, where), max(scores, -1, false, where), n, where);
  return numbers_of(best);
}

tensor choice(std::int64_t n, const shape& sizes, const choice_options& options, caller where) {
  const auto place =
      options.device.value_or(options.p.defined() ? options.p.device() : default_device());
  return chosen_positions(n, sizes, options, place, where);
}

tensor choice(const tensor& x, const shape& sizes, const choice_options& options, caller where) {
  check_defined("choice", x, where);
  const tensor_type types[] = {x.type()};
  if (x.rank() == 0) refuse("choice", "there is no axis to choose along", types, where);
  check_place("choice", options.device, x.device(), where);
  return take(x, chosen_positions(x.shape()[0], sizes, options, x.device(), where), 0, where);
}

tensor permutation(std::int64_t n, const random_options& options, caller where) {
  if (n < 0) throw error("permutation: negative size " + std::to_string(n), where);
  const numbers_of_key from(options.key);
  return in_integers(random_order(n, options.device.value_or(default_device()), where), options,
                     "permutation", where);
}

tensor permutation(const tensor& x, int axis, const random_options& options, caller where) {
  check_defined("permutation", x, where);
  const numbers_of_key from(options.key);
  const int at = detail::checked_axis(axis, x.rank(), x.type(), "permutation", where);
  check_place("permutation", options.device, x.device(), where);
  return take(x, random_order(x.shape()[at], x.device(), where), at, where);
}

}  // namespace troupe
