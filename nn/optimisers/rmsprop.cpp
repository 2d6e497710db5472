// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/rmsprop.hpp"

#include "troupe/nn/optimisers/option_range.hpp"

namespace troupe::nn {

void rmsprop::add(std::vector<parameter> parameters, const rmsprop_options& options, caller where) {
  option_range("rmsprop", where)
      .fraction("alpha", options.alpha)
      .amount("epsilon", options.epsilon)
      .amount("weight_decay", options.weight_decay)
      .fraction("momentum", options.momentum);
  const bool moves = options.momentum != 0;
  method how{
      .rule = options.centred
                  ? (moves ? update_rule::rmsprop_centred_momentum : update_rule::rmsprop_centred)
                  : (moves ? update_rule::rmsprop_momentum : update_rule::rmsprop),
      .rate = options.rate,
      .clip_norm = options.clip_norm,
      .states = {"square_mean"},
      .numbers = {.decay = options.weight_decay,
                  .limit = options.clip_value,
                  .first = options.momentum,
                  .second = options.alpha,
                  .epsilon = options.epsilon}};
  if (options.centred) how.states.push_back("mean");
  if (moves) how.states.push_back("momentum");
  add_group(std::move(parameters), std::move(how), where);
}

}  // namespace troupe::nn
