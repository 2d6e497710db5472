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
             .clip_value = options.clip_value,
             .states = {"square_sum"},
             .initial = options.initial_sum,
             .counts = true,
             .numbers =
                 [rate_decay = options.rate_decay, decay = options.weight_decay,
                  epsilon = options.epsilon](double rate, double step) {
                   return update_attributes{.rate = rate / (1 + (step - 1) * rate_decay),
                                            .decay = decay,
                                            .epsilon = epsilon};
                 }},
            where);
}

}  // namespace troupe::nn
