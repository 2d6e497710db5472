// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/moving_average.hpp"

#include <string>
#include <utility>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/program/place.hpp"

namespace troupe::nn {

moving_average::moving_average(std::vector<parameter> parameters,
                               const moving_average_options& options, caller where)
    : decay_(options.decay) {
  if (parameters.empty()) throw error("moving_average: there are no parameters", where);
  if (!(decay_ >= 0 && decay_ <= 1))
    throw error("moving_average: the decay is " + real_text(decay_) + " and must be in [0, 1]",
                where);
  for (auto& p : parameters) {
    variable average;
    if (p.defined()) average.assign(p.value(), where);
    slots_.push_back({std::move(p), std::move(average)});
  }
}

void moving_average::step(caller where) {
  if (swapped_)
    throw error("moving_average: a step while averages stand for the parameters; swap() first",
                where);
  const no_grad constants;
  const troupe::detail::on_behalf_of user(where);
  for (auto& [of, average] : slots_) {
    if (!of.defined()) continue;
    const use_engine same(of.value().source()->engine);
    if (average.defined()) average.assign(lerp(of.value(), average.value(), decay_), where);
    else average.assign(of.value(), where);
  }
}

void moving_average::swap(caller where) {
  const no_grad constants;
  for (auto& [of, average] : slots_) {
    if (!average.defined()) continue;
    const tensor before = of.value();
    of.assign(average.value(), where);
    average.assign(before, where);
  }
  swapped_ = !swapped_;
  ++troupe::detail::other_ways;  // of compiled functions, in which steps throw now or no longer do
}

void moving_average::visit(visitor& to) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const visitor::step into(to, std::to_string(i));
    to.at(slots_[i].average);
  }
}

}  // namespace troupe::nn
