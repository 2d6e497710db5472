// SPDX-License-Identifier: MIT
#include "troupe/nn/schedule.hpp"

#include <cmath>

#include "troupe/tensor/number_text.hpp"

namespace troupe::nn {

namespace {

schedule named(std::string_view name, std::vector<schedule_argument> given, caller where) {
  return schedule(named_schedule(name, std::move(given), where));
}

}  // namespace

schedule step_decay(double rate, std::int64_t every, double factor, caller where) {
  return named("step_decay", {rate, every, factor}, where);
}

schedule multi_step(double rate, std::vector<std::int64_t> milestones, double factor,
                    caller where) {
  return named("multi_step", {rate, std::move(milestones), factor}, where);
}

schedule exponential(double rate, double factor, caller where) {
  return named("exponential", {rate, factor}, where);
}

schedule cosine(double rate, std::int64_t steps, double least, caller where) {
  return named("cosine", {rate, steps, least}, where);
}

schedule cosine_restarts(double rate, std::int64_t first_steps, std::int64_t growth, double least,
                         caller where) {
  return named("cosine_restarts", {rate, first_steps, growth, least}, where);
}

schedule polynomial(double rate, std::int64_t steps, double power, double least, caller where) {
  return named("polynomial", {rate, steps, power, least}, where);
}

schedule linear(double from, double to, std::int64_t steps, caller where) {
  return named("linear", {from, to, steps}, where);
}

schedule one_cycle(double rate, std::int64_t steps, double share, caller where) {
  return named("one_cycle", {rate, steps, share}, where);
}

schedule warm_up(std::int64_t steps, schedule then, double share, caller where) {
  if (steps < 1)
    throw error("warm_up: " + std::to_string(steps) + " steps: there must be one at least", where);
  if (!std::isfinite(share) || share < 0)
    throw error("warm_up: the share is " + real_text(share) + " and must be 0 or more", where);
  const double rate = then(0);
  return in_turn(linear(share * rate, rate, steps, where), steps, std::move(then), where);
}

schedule in_turn(schedule first, std::int64_t steps, schedule then, caller where) {
  return named("in_turn", {first.written(), steps, then.written()}, where);
}

schedule by_epoch(std::int64_t steps_per_epoch, schedule of_epoch, caller where) {
  return named("by_epoch", {steps_per_epoch, of_epoch.written()}, where);
}

}  // namespace troupe::nn
