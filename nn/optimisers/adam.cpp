// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/adam.hpp"

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
update_options numbers_of(const Options& o) {
  return {.decay = o.weight_decay,
          .limit = o.clip_value,
          .first = o.beta1,
          .second = o.beta2,
          .epsilon = o.epsilon};
}

}  // namespace

void adam::add(std::vector<parameter> parameters, const adam_options& options, caller where) {
  check("adam", options, where);
  add_group(std::move(parameters),
            {.rule = update_rule::adam,
             .rate = options.rate,
             .clip_norm = options.clip_norm,
             .states = {"mean", "square_mean"},
             .numbers = numbers_of(options)},
            where);
}

void adamw::add(std::vector<parameter> parameters, const adamw_options& options, caller where) {
  check("adamw", options, where);
  add_group(std::move(parameters),
            {.rule = update_rule::adamw,
             .rate = options.rate,
             .clip_norm = options.clip_norm,
             .states = {"mean", "square_mean"},
             .numbers = numbers_of(options)},
            where);
}

}  // namespace troupe::nn
