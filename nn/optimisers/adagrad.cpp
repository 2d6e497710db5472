// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/adagrad.hpp"

#include "troupe/nn/optimisers/option_range.hpp"

namespace troupe::nn {

void adagrad::add(std::vector<parameter> parameters, const adagrad_options& options, caller where) {
  option_range("adagrad", where)
      .amount("rate_decay", options.rate_decay)
      .amount("weight_decay", options.weight_decay)
      .amount("initial_sum", options.initial_sum)
      .amount("epsilon", options.epsilon);
  add_group(std::move(parameters),
            {.rule = update_rule::adagrad,
             .rate = options.rate,
             .clip_norm = options.clip_norm,
             .states = {"square_sum"},
             .initial = options.initial_sum,
             .numbers = {.decay = options.weight_decay,
                         .limit = options.clip_value,
                         .epsilon = options.epsilon,
                         .rate_decay = options.rate_decay}},
            where);
}

}  // namespace troupe::nn
