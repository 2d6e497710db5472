// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/sgd.hpp"

#include "troupe/nn/optimisers/option_range.hpp"

namespace troupe::nn {

void sgd::add(std::vector<parameter> parameters, const sgd_options& options, caller where) {
  option_range("sgd", where)
      .fraction("momentum", options.momentum)
      .amount("weight_decay", options.weight_decay);
  if (options.nesterov && options.momentum == 0)
    throw error("sgd: nesterov takes a momentum above 0", where);
  method how{
      .rule = options.nesterov        ? update_rule::sgd_nesterov
              : options.momentum != 0 ? update_rule::sgd_momentum
                                      : update_rule::sgd,
      .rate = options.rate,
      .clip_norm = options.clip_norm,
      .states = {},
      .numbers = {
          .decay = options.weight_decay, .limit = options.clip_value, .first = options.momentum}};
  if (options.momentum != 0) how.states = {"momentum"};
  add_group(std::move(parameters), std::move(how), where);
}

}  // namespace troupe::nn
