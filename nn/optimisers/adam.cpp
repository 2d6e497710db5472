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

template <class Method, class Options>
Method method_of(const Options& o, update_rule plain, update_rule amsgrad) {
  Method how{.rule = o.amsgrad ? amsgrad : plain,
             .rate = o.rate,
             .clip_norm = o.clip_norm,
             .states = {"mean", "square_mean"},
             .numbers = {.decay = o.weight_decay,
                         .limit = o.clip_value,
                         .first = o.beta1,
                         .second = o.beta2,
                         .epsilon = o.epsilon}};
  if (o.amsgrad) how.states.push_back("greatest_square_mean");
  return how;
}

}  // namespace

void adam::add(std::vector<parameter> parameters, const adam_options& options, caller where) {
  check("adam", options, where);
  add_group(std::move(parameters),
            method_of<method>(options, update_rule::adam, update_rule::adam_amsgrad), where);
}

void adamw::add(std::vector<parameter> parameters, const adamw_options& options, caller where) {
  check("adamw", options, where);
  add_group(std::move(parameters),
            method_of<method>(options, update_rule::adamw, update_rule::adamw_amsgrad), where);
}

}  // namespace troupe::nn
