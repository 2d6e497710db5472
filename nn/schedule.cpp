// SPDX-License-Identifier: MIT
#include "troupe/nn/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "troupe/tensor/number_text.hpp"

namespace troupe::nn {

namespace {

/// Checks of a schedule's arguments; they throw.
class arguments_of {
 public:
  arguments_of(const char* schedule, caller where) noexcept
      : schedule_(schedule), call_site_(where) {}

  const arguments_of& amount(const char* what, double number) const {
    if (std::isfinite(number) && number >= 0) return *this;
    throw error(std::string(schedule_) + ": the " + what + " is " + real_text(number) +
                    " and must be 0 or more",
                call_site_);
  }
  const arguments_of& count(const char* what, std::int64_t number) const {
    if (number >= 1) return *this;
    throw error(std::string(schedule_) + ": " + std::to_string(number) + " " + what +
                    ": there must be one at least",
                call_site_);
  }

 private:
  const char* schedule_;
  caller call_site_;
};

/// Returns the progress of the step, from 0 to 1.
double share_done(std::int64_t step, std::int64_t steps) noexcept {
  return static_cast<double>(std::clamp<std::int64_t>(step, 0, steps)) / static_cast<double>(steps);
}

double half_wave(double rate, double least, double progress) noexcept {
  return least + (rate - least) * (1 + std::cos(std::numbers::pi * progress)) / 2;
}

}  // namespace

schedule step_decay(double rate, std::int64_t every, double factor, caller where) {
  arguments_of("step_decay", where)
      .amount("rate", rate)
      .count("steps", every)
      .amount("factor", factor);
  return [=](std::int64_t step) {
    const auto drops = step / every;
    return rate * std::pow(factor, static_cast<double>(drops));
  };
}

schedule multi_step(double rate, std::vector<std::int64_t> milestones, double factor,
                    caller where) {
  arguments_of("multi_step", where).amount("rate", rate).amount("factor", factor);
  if (!std::is_sorted(milestones.begin(), milestones.end()))
    throw error("multi_step: the milestones do not ascend", where);
  return [=, milestones = std::move(milestones)](std::int64_t step) {
    const auto reached = std::upper_bound(milestones.begin(), milestones.end(), step);
    return rate * std::pow(factor, static_cast<double>(reached - milestones.begin()));
  };
}

schedule exponential(double rate, double factor, caller where) {
  arguments_of("exponential", where).amount("rate", rate).amount("factor", factor);
  return [=](std::int64_t step) { return rate * std::pow(factor, static_cast<double>(step)); };
}

schedule cosine(double rate, std::int64_t steps, double least, caller where) {
  arguments_of("cosine", where)
      .amount("rate", rate)
      .count("steps", steps)
      .amount("least rate", least);
  return [=](std::int64_t step) { return half_wave(rate, least, share_done(step, steps)); };
}

schedule cosine_restarts(double rate, std::int64_t first_steps, std::int64_t growth, double least,
                         caller where) {
  arguments_of("cosine_restarts", where)
      .amount("rate", rate)
      .count("steps", first_steps)
      .count("times", growth)
      .amount("least rate", least);
  return [=](std::int64_t step) {
    auto length = first_steps;
    if (growth == 1) step %= length;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    while (step >= length) {
      step -= length;
      length = length > most / growth ? most : length * growth;
    }
    return half_wave(rate, least, share_done(step, length));
  };
}

schedule polynomial(double rate, std::int64_t steps, double power, double least, caller where) {
  arguments_of("polynomial", where)
      .amount("rate", rate)
      .count("steps", steps)
      .amount("power", power)
      .amount("least rate", least);
  return [=](std::int64_t step) {
    return least + (rate - least) * std::pow(1 - share_done(step, steps), power);
  };
}

schedule linear(double from, double to, std::int64_t steps, caller where) {
  arguments_of("linear", where).amount("rate", from).amount("rate", to).count("steps", steps);
  return [=](std::int64_t step) { return from + (to - from) * share_done(step, steps); };
}

schedule one_cycle(double rate, std::int64_t steps, double share, caller where) {
  arguments_of("one_cycle", where).amount("rate", rate).count("steps", steps);
  // PyTorch counts the steps of both parts from 0 to the last one.
  const double top = share * static_cast<double>(steps) - 1, last = static_cast<double>(steps) - 1;
  if (!(share > 0 && share < 1) || top < 1)
    throw error("one_cycle: a share of " + real_text(share) + " of " + std::to_string(steps) +
                    " steps: it must have two at least and leave some",
                where);
  const double first = rate / 25, least = first / 1e4;
  return [=](std::int64_t step) {
    const auto at = static_cast<double>(step);
    if (at <= top) return half_wave(first, rate, at / top);
    return half_wave(rate, least, std::min((at - top) / (last - top), 1.));
  };
}

schedule warm_up(std::int64_t steps, schedule then, double share, caller where) {
  arguments_of("warm_up", where).count("steps", steps).amount("share", share);
  const double rate = then(0);
  return in_turn(linear(share * rate, rate, steps, where), steps, std::move(then), where);
}

schedule in_turn(schedule first, std::int64_t steps, schedule then, caller where) {
  arguments_of("in_turn", where).count("steps", steps);
  return [=, first = std::move(first), then = std::move(then)](std::int64_t step) {
    return step < steps ? first(step) : then(step - steps);
  };
}

schedule by_epoch(std::int64_t steps_per_epoch, schedule of_epoch, caller where) {
  arguments_of("by_epoch", where).count("steps", steps_per_epoch);
  return [=, of_epoch = std::move(of_epoch)](std::int64_t step) {
    return of_epoch(step / steps_per_epoch);
  };
}

}  // namespace troupe::nn
