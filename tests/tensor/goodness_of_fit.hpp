// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace troupe::testing {

/// Returns true unless the Kolmogorov-Smirnov test finds, at a significance of 1e-6, that numbers
/// do not have a distribution function.
template <class Cdf>
bool fits(std::vector<double> x, const Cdf& cdf) {
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  double distance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double below = static_cast<double>(i) / n, p = cdf(x[i]);
    distance = std::max({distance, p - below, below + 1 / n - p});
  }
  return distance * std::sqrt(n) < 2.694;  // 2 exp(-2 x^2) = 1e-6
}

/// Returns true unless the chi-square test finds, at a significance of 1e-6, that whole numbers do
/// not have these probabilities. Numbers from the last on count together, as do rare ones.
inline bool fits_counts(const std::vector<double>& x, const std::vector<double>& probabilities) {
  std::vector<double> seen(probabilities.size());
  for (const double one : x) {
    if (one < 0 || one != std::floor(one)) return false;
    ++seen[std::min(static_cast<std::size_t>(one), seen.size() - 1)];
  }
  double sum = 0, count = 0, rare = 0, rare_seen = 0;
  const auto add = [&](double expected, double found) {
    sum += (found - expected) * (found - expected) / expected;
    ++count;
  };
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double expected = probabilities[i] * static_cast<double>(x.size());
    if (expected == 0 && seen[i] > 0) return false;
    if (expected >= 10) add(expected, seen[i]);
    else rare += expected, rare_seen += seen[i];
  }
  if (rare >= 1) add(rare, rare_seen);
  // By E. B. Wilson and M. M. Hilferty.
  const double k = std::max(1., count - 1), part = 2 / (9 * k);
  return sum < k * std::pow(1 - part + 4.753 * std::sqrt(part), 3);
}

/// Returns the part of a gamma distribution below x, by its series.
inline double gamma_below(double a, double x) {
  if (x <= 0) return 0;
  double term = std::exp(a * std::log(x) - x - std::lgamma(a + 1)), sum = term;
  for (double k = 1; term > 1e-17 * sum || k < x - a; ++k) sum += term *= x / (a + k);
  return std::min(1., sum);
}

/// Returns the part of the normal distribution below x.
inline double normal_below(double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }

}  // namespace troupe::testing
