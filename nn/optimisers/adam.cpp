// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/adam.hpp"

#include <cmath>

#include "troupe/nn/optimisers/option_range.hpp"

namespace troupe::nn {

namespace {

template <class Options>
void check(const char* who, const Options& o, caller where) {
  option_range(who, where)
      .fraction("beta1", o.beta1)
      .fraction("beta2", o.beta2)
      .amount("epsilon", o.epsilon)
      .amount("weight_decay", o.weight_decay);
}

template <class Options>
auto numbers_of(const Options& o, bool decoupled) {
  return [=, beta1 = o.beta1, beta2 = o.beta2, epsilon = o.epsilon, decay = o.weight_decay](
             double rate, double step) {
    return update_attributes{.rate = rate / (1 - std::pow(beta1, step)),
                             .decay = decoupled ? rate * decay : decay,
                             .first = beta1,
                             .second = beta2,
                             .epsilon = epsilon,
                             .correction = 1 / std::sqrt(1 - std::pow(beta2, step))};
  };
}

}  // namespace

void adam::add(std::vector<parameter> parameters, const adam_options& options, caller where) {
  check("adam", options, where);
  add_group(std::move(parameters),
            {.rule = update_rule::adam,
             .rate = options.rate,
             .clip_norm = options.clip_norm,
             .clip_value = options.clip_value,
             .states = {"mean", "square_mean"},
             .counts = true,
             .numbers = numbers_of(options, false)},
            where);
}

void adamw::add(std::vector<parameter> parameters, const adamw_options& options, caller where) {
  check("adamw", options, where);
  add_group(std::move(parameters),
            {.rule = update_rule::adamw,
             .rate = options.rate,
             .clip_norm = options.clip_norm,
             .clip_value = options.clip_value,
             .states = {"mean", "square_mean"},
             .counts = true,
             .numbers = numbers_of(options, true)},
            where);
}

}  // namespace troupe::nn
