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
             .states = {"mean"},
             .numbers = {.decay = options.weight_decay,
                         .limit = options.clip_value,
                         .first = options.beta1,
                         .second = options.beta2}},
            where);
}

}  // namespace troupe::nn
