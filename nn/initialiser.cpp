// SPDX-License-Identifier: MIT
#include "troupe/nn/initialiser.hpp"

#include <algorithm>
#include <cmath>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/random_numbers.hpp"

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

random_options drawn_as(const tensor_options& o) { return {.dtype = o.dtype, .device = o.device}; }

/// Returns a uniform initialiser with the variance gain / n, where n is `count` of the weight's
/// fan.
initialiser even(double gain, double (*count)(fan f)) {
  return [=](const shape& s, const tensor_options& o, caller where) {
    const double limit = std::sqrt(3 * gain / std::max(1., count(fan_of(s))));
    return troupe::uniform(s, -limit, limit, drawn_as(o), where);
  };
}

initialiser scaled_normal(double gain, double (*count)(fan f)) {
  return [=](const shape& s, const tensor_options& o, caller where) {
    return troupe::normal(s, 0, std::sqrt(gain / std::max(1., count(fan_of(s)))), drawn_as(o),
                          where);
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
    return troupe::uniform(s, low, high, drawn_as(o), where);
  };
}

initialiser normal(double mean, double standard_deviation) {
  return [=](const shape& s, const tensor_options& o, caller where) {
    return troupe::normal(s, mean, standard_deviation, drawn_as(o), where);
  };
}

initialiser glorot_uniform() { return even(1, mean_of_both); }
initialiser glorot_normal() { return scaled_normal(1, mean_of_both); }
initialiser he_uniform() { return even(2, in); }
initialiser he_normal() { return scaled_normal(2, in); }
initialiser lecun_uniform() { return even(1. / 3, in); }

}  // namespace init

void detail::check_layer_input(std::string_view layer, const tensor& x, int axes, caller where) {
  const std::string who(layer);
  if (!x.defined()) throw error(who + ": x is a tensor without an array", where);
  if (!is_floating(x.dtype()))
    throw error(who + ": x is " + to_string(x.type()) + ", but must have floats", where);
  if (x.rank() < axes)
    throw error(who + ": x is " + to_string(x.type()) + ", but must have at least " +
                    std::to_string(axes) + (axes == 1 ? " axis" : " axes"),
                where);
}

void detail::first_use(const variable& v, const initialiser& first, const shape& sizes,
                       const tensor& x, caller where) {
  detail::first_use(v, first, sizes, x, x.dtype(), where);
}

void detail::first_use(const variable& v, const initialiser& first, const shape& sizes,
                       const tensor& x, dtype element, caller where) {
  v.assign_first(
      [&] {
        const no_grad constant;
        const numbers_apart once;
        const use_engine same(x.source()->engine);
        return first(sizes, {.dtype = element, .device = x.device()}, where);
      },
      where);
}

void detail::check_sizes(std::string_view layer, std::string_view name, const variable& v,
                         const shape& sizes, caller where, int learnt_axis) {
  const auto& found = v.value().shape();
  bool fits = found.rank() == sizes.rank();
  for (int i = 0; fits && i < sizes.rank(); ++i) fits = i == learnt_axis || found[i] == sizes[i];
  if (fits) return;
  throw error(std::string(layer) + ": " + std::string(name) + " is " + to_string(v.value().type()) +
                  ", but the layer needs " + to_string(sizes),
              where);
}

}  // namespace troupe::nn
