// SPDX-License-Identifier: MIT
#include "troupe/nn/initialiser.hpp"

#include <algorithm>
#include <cmath>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/random.hpp"

namespace troupe::nn {

fan fan_of(const shape& sizes) noexcept {
  const int rank = sizes.rank();
  if (rank == 0) return {1, 1};
  if (rank == 1) return {sizes[0], sizes[0]};
  if (rank == 2) return {sizes[0], sizes[1]};
  const auto positions =
      std::max<std::int64_t>(1, sizes.size()) / std::max<std::int64_t>(1, sizes[0] * sizes[1]);
  return {sizes[1] * positions, sizes[0] * positions};
}

namespace init {

namespace {

/// Returns a uniform initialiser with the variance gain / n, where n is `count` of the weight's
/// fan.
initialiser even(double gain, double (*count)(fan f)) {
  return [=](const shape& s, const tensor_options& o, caller where) {
    const double limit = std::sqrt(3 * gain / std::max(1., count(fan_of(s))));
    return troupe::uniform(s, -limit, limit, o, where);
  };
}

initialiser bell(double gain, double (*count)(fan f)) {
  return [=](const shape& s, const tensor_options& o, caller where) {
    return troupe::normal(s, 0, std::sqrt(gain / std::max(1., count(fan_of(s)))), o, where);
  };
}

double in(fan f) { return static_cast<double>(f.in); }
double mean_of_both(fan f) { return static_cast<double>(f.in + f.out) / 2; }

}  // namespace

initialiser constant(double number) {
  return [=](const shape& s, const tensor_options& o, caller where) {
    return full(s, number, o, where);
  };
}

initialiser uniform(double low, double high) {
  return [=](const shape& s, const tensor_options& o, caller where) {
    return troupe::uniform(s, low, high, o, where);
  };
}

initialiser normal(double mean, double standard_deviation) {
  return [=](const shape& s, const tensor_options& o, caller where) {
    return troupe::normal(s, mean, standard_deviation, o, where);
  };
}

initialiser glorot_uniform() { return even(1, mean_of_both); }
initialiser glorot_normal() { return bell(1, mean_of_both); }
initialiser he_uniform() { return even(2, in); }
initialiser he_normal() { return bell(2, in); }
initialiser lecun_uniform() { return even(1. / 3, in); }

}  // namespace init

}  // namespace troupe::nn
