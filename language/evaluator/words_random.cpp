// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/choices.hpp"
#include "troupe/tensor/ops/distributions.hpp"
#include "troupe/tensor/ops/random.hpp"

namespace troupe::language {

namespace {

std::optional<random_key> key_of(const arguments& a, std::size_t seed) {
  if (!a.has(seed)) return {};
  return random_key(static_cast<std::uint64_t>(a.integer(seed)));
}

/// Returns the options of three parameters that lie side by side: dtype, device and seed.
random_options drawn(const arguments& a, std::size_t dtype) {
  const auto [element, place] = a.options(dtype, dtype + 1);
  return {.dtype = element, .device = place, .key = key_of(a, dtype + 2)};
}

dynamic_value split_seed(const arguments& a) {
  const auto all =
      random_key(static_cast<std::uint64_t>(a.integer(0))).split(a.integer(1, 2), a.where());
  list out;
  for (const auto& key : all) out.items.emplace_back(scalar(static_cast<std::int64_t>(key.seed())));
  return std::make_shared<const list>(std::move(out));
}

dynamic_value categorical_of(const arguments& a) {
  std::optional<shape> sizes;
  if (a.has(3)) sizes = a.sizes(3);
  return categorical(a.array(0), a.small_integer(1, -1),
                     a.flag(2) ? weights_as::probabilities : weights_as::logarithms, sizes,
                     drawn(a, 4), a.where());
}

/// Returns a number that stands for so many, or nothing for an array.
std::optional<std::int64_t> count_of(const arguments& a) {
  const auto x = a.operand(0);
  if (x.array()) return {};
  if (x.number().is_real())
    throw error(std::string(a.of().name) + ": " + to_string(x.number()) + " is no integer",
                a.where());
  return a.integer(0);
}

dynamic_value choice_of(const arguments& a) {
  choice_options options{.replace = !a.has(2) || a.flag(2), .key = key_of(a, 4)};
  if (a.has(3)) options.p = a.array(3);
  if (const auto n = count_of(a)) return troupe::choice(*n, a.sizes(1), options, a.where());
  return troupe::choice(*a.operand(0).array(), a.sizes(1), options, a.where());
}

dynamic_value permutation_of(const arguments& a) {
  const random_options options{.key = key_of(a, 2)};
  if (const auto n = count_of(a)) return permutation(*n, options, a.where());
  return permutation(*a.operand(0).array(), a.small_integer(1), options, a.where());
}

}  // namespace

std::vector<word> random_words() {
  return {
      {"uniform", "random",
       "sizes: sizes, low: number = 0, high: number = 1, dtype: dtype = float32, device: device = "
       "none, seed: integer = none",
       "Random numbers, equally likely from low up to high. More than two sizes are a list: "
       "uniform((2, 3, 4)).",
       [](const arguments& a) -> dynamic_value {
         return uniform(a.sizes(0), a.real(1, 0), a.real(2, 1), drawn(a, 3), a.where());
       }},
      {"normal", "random",
       "sizes: sizes, mean: number = 0, std: number = 1, dtype: dtype = float32, device: device = "
       "none, seed: integer = none",
       "Normally distributed random numbers. More than two sizes are a list: normal((2, 3, 4)).",
       [](const arguments& a) -> dynamic_value {
         return normal(a.sizes(0), a.real(1, 0), a.real(2, 1), drawn(a, 3), a.where());
       }},
      {"randint", "random",
       "sizes: shape, low: integer = 0, high: integer = 2, dtype: dtype = int64, device: device = "
       "none, seed: integer = none",
       "Random integers, equally likely from low up to high, without high.",
       [](const arguments& a) -> dynamic_value {
         return randint(a.sizes(0), a.integer(1, 0), a.integer(2, 2), drawn(a, 3), a.where());
       }},
      {"bernoulli", "random",
       "sizes: shape, p: operand = 0.5, dtype: dtype = bool, device: device = none, seed: integer "
       "= none",
       "True with probability p, else false.",
       [](const arguments& a) -> dynamic_value {
         return bernoulli(a.sizes(0), a.has(1) ? a.operand(1) : 0.5, drawn(a, 2), a.where());
       }},
      {"exponential", "random",
       "sizes: shape, scale: operand = 1, dtype: dtype = none, device: device = none, seed: "
       "integer = none",
       "Random numbers with an exponential distribution of this mean.",
       [](const arguments& a) -> dynamic_value {
         return exponential(a.sizes(0), a.has(1) ? a.operand(1) : 1, drawn(a, 2), a.where());
       }},
      {"laplace", "random",
       "sizes: shape, mean: operand = 0, scale: operand = 1, dtype: dtype = none, device: device = "
       "none, seed: integer = none",
       "Random numbers with a Laplace distribution: exponential ones on both sides of the mean.",
       [](const arguments& a) -> dynamic_value {
         return laplace(a.sizes(0), a.has(1) ? a.operand(1) : 0, a.has(2) ? a.operand(2) : 1,
                        drawn(a, 3), a.where());
       }},
      {"gumbel", "random",
       "sizes: shape, mode: operand = 0, scale: operand = 1, dtype: dtype = none, device: device = "
       "none, seed: integer = none",
       "Random numbers with a Gumbel distribution, as the greatest of many have it.",
       [](const arguments& a) -> dynamic_value {
         return gumbel(a.sizes(0), a.has(1) ? a.operand(1) : 0, a.has(2) ? a.operand(2) : 1,
                       drawn(a, 3), a.where());
       }},
      {"truncated_normal", "random",
       "sizes: shape, low: operand = -2, high: operand = 2, mean: operand = 0, std: operand = 1, "
       "dtype: dtype = none, device: device = none, seed: integer = none",
       "Normally distributed random numbers between low and high.",
       [](const arguments& a) -> dynamic_value {
         return truncated_normal(a.sizes(0), a.has(1) ? a.operand(1) : -2,
                                 a.has(2) ? a.operand(2) : 2, a.has(3) ? a.operand(3) : 0,
                                 a.has(4) ? a.operand(4) : 1, drawn(a, 5), a.where());
       }},
      {"gamma", "random",
       "sizes: shape, concentration: operand, scale: operand = 1, dtype: dtype = none, device: "
       "device = none, seed: integer = none",
       "Random numbers with a gamma distribution, of the mean concentration * scale.",
       [](const arguments& a) -> dynamic_value {
         return gamma(a.sizes(0), a.operand(1), a.has(2) ? a.operand(2) : 1, drawn(a, 3),
                      a.where());
       }},
      {"beta", "random",
       "sizes: shape, a: operand, b: operand, dtype: dtype = none, device: device = none, seed: "
       "integer = none",
       "Random numbers with a beta distribution, of the mean a / (a + b).",
       [](const arguments& a) -> dynamic_value {
         return beta(a.sizes(0), a.operand(1), a.operand(2), drawn(a, 3), a.where());
       }},
      {"poisson", "random",
       "sizes: shape, rate: operand = 1, dtype: dtype = int64, device: device = none, seed: "
       "integer = none",
       "Random counts with a Poisson distribution of this mean.",
       [](const arguments& a) -> dynamic_value {
         return poisson(a.sizes(0), a.has(1) ? a.operand(1) : 1, drawn(a, 2), a.where());
       }},
      {"multivariate_normal", "random",
       "sizes: shape, mean: array, covariance: array, dtype: dtype = none, device: device = none, "
       "seed: integer = none",
       "Normally distributed random vectors, in a shape, of this mean and covariance.",
       [](const arguments& a) -> dynamic_value {
         return multivariate_normal(a.sizes(0), a.array(1), a.array(2), drawn(a, 3), a.where());
       }},
      {"categorical", "random",
       "weights: array, axis: axis = -1, probabilities: flag = false, sizes: shape = none, dtype: "
       "dtype = int64, device: device = none, seed: integer = none",
       "For each row a position in it, chosen by its weights, which are logarithms or "
       "probabilities.",
       categorical_of},
      {"choice", "random",
       "x: operand, sizes: shape, replace: flag = true, p: array = none, seed: integer = none",
       "Slices of an array, or numbers up to an integer, chosen at random; p are weights.",
       choice_of},
      {"permutation", "random", "x: operand, axis: axis = 0, seed: integer = none",
       "The slices of an array, or the numbers up to an integer, in a random order.",
       permutation_of},
      {"split_seed", "random", "seed: integer, count: integer = 2",
       "A list of so many other seeds, whose numbers are independent: seeds = split_seed(7).",
       split_seed, "random_key::split"},
  };
}

}  // namespace troupe::language
