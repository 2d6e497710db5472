// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/lion.hpp"

#include "troupe/nn/optimisers/option_range.hpp"

namespace troupe::nn {

void lion::add(std::vector<parameter> parameters, const lion_options& options, caller where) {
  option_range("lion", where)
      .fraction("beta1", options.beta1)
      .fraction("beta2", options.beta2)
      .amount("weight_decay", options.weight_decay);
  add_group(std::move(parameters),
            {.rule = update_rule::lion,
             .rate = options.rate,
             .clip_norm = options.clip_norm,
             .clip_value = options.clip_value,
             .states = {"mean"},
             .numbers =
                 [beta1 = options.beta1, beta2 = options.beta2, decay = options.weight_decay](
                     double rate, double) {
                   return update_attributes{
                       .rate = rate, .decay = rate * decay, .first = beta1, .second = beta2};
                 }},
            where);
}

}  // namespace troupe::nn
