// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/lookahead.hpp"

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe::nn {

lookahead::lookahead(std::vector<parameter> parameters, const lookahead_options& options,
                     caller where)
    : options_(options) {
  if (parameters.empty()) throw error("lookahead: there are no parameters", where);
  if (options.every < 1)
    throw error(
        "lookahead: " + std::to_string(options.every) + " steps: there must be one at least",
        where);
  if (!(options.share > 0 && options.share <= 1))
    throw error("lookahead: the share is " + real_text(options.share) +
                    " and must be above 0 and at most 1",
                where);
  for (auto& p : parameters) {
    variable slow;
    if (p.defined()) slow.assign(p.value(), where);
    slots_.push_back({std::move(p), std::move(slow)});
  }
}

std::int64_t lookahead::steps(caller where) const {
  return steps_.defined() ? troupe::detail::integer_for("steps", steps_.value(), where) : 0;
}

void lookahead::step(caller where) {
  if (capture::active())
    throw error("lookahead: a step cannot be part of a compiled function, whose calls it counts",
                where);
  const no_grad constants;
  const troupe::detail::on_behalf_of user(where);
  const auto count = steps(where) + 1;
  for (auto& [fast, slow] : slots_) {
    if (!fast.defined()) continue;
    const use_engine same(fast.value().source()->engine);
    if (!slow.defined()) slow.assign(fast.value(), where);
    if (count % options_.every == 0) {
      slow.assign(lerp(slow.value(), fast.value(), options_.share), where);
      fast.assign(slow.value(), where);
    }
  }
  // Ready at once, so that reading it later is no sync point.
  const auto place = steps_.defined() ? steps_.value().device() : cpu();
  steps_.assign(from_data(&count, {}, {.device = place}, where), where);
}

void lookahead::visit(visitor& to) {
  const auto show = [&](std::string_view name, variable& v) {
    const visitor::step into(to, name);
    to.at(v);
  };
  show("steps", steps_);
  for (std::size_t i = 0; i < slots_.size(); ++i) show(std::to_string(i), slots_[i].slow);
}

}  // namespace troupe::nn
