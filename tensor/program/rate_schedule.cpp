// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/rate_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe {

namespace {

using rate_at = std::function<double(std::int64_t step)>;

/// Arguments of a schedule, of the kinds that it takes. The checks throw.
class given_arguments {
 public:
  given_arguments(std::string_view schedule, std::vector<schedule_argument> all, caller where)
      : schedule_(schedule), all_(std::move(all)), call_site_(where) {}

  const std::string& schedule() const noexcept { return schedule_; }
  caller where() const noexcept { return call_site_; }

  /// Returns a finite number, 0 or more.
  double amount(std::size_t i, const char* what) const {
    const double number = std::get<double>(all_[i]);
    if (std::isfinite(number) && number >= 0) return number;
    throw error(schedule_ + ": the " + what + " is " + real_text(number) + " and must be 0 or more",
                call_site_);
  }
  double real(std::size_t i) const { return std::get<double>(all_[i]); }
  /// Returns an integer, 1 or more.
  std::int64_t count(std::size_t i, const char* what) const {
    const auto number = std::get<std::int64_t>(all_[i]);
    if (number >= 1) return number;
    throw error(
        schedule_ + ": " + std::to_string(number) + " " + what + ": there must be one at least",
        call_site_);
  }
  const std::vector<std::int64_t>& integers(std::size_t i) const {
    return std::get<std::vector<std::int64_t>>(all_[i]);
  }
  const rate_at& rate(std::size_t i) const { return std::get<rate_schedule>(all_[i]).at; }

 private:
  std::string schedule_;
  std::vector<schedule_argument> all_;
  caller call_site_;
};

/// Returns the progress of the step, from 0 to 1.
double share_of_steps(std::int64_t step, std::int64_t steps) noexcept {
  return static_cast<double>(std::clamp<std::int64_t>(step, 0, steps)) / static_cast<double>(steps);
}

double half_wave(double rate, double least, double progress) noexcept {
  return least + (rate - least) * (1 + std::cos(std::numbers::pi * progress)) / 2;
}

rate_at step_decay_rate(const given_arguments& a) {
  const auto rate = a.amount(0, "rate");
  const auto every = a.count(1, "steps");
  const auto factor = a.amount(2, "factor");
  return [=](std::int64_t step) {
    const auto drops = step / every;
    return rate * std::pow(factor, static_cast<double>(drops));
  };
}

rate_at multi_step_rate(const given_arguments& a) {
  const auto rate = a.amount(0, "rate"), factor = a.amount(2, "factor");
  const auto& milestones = a.integers(1);
  if (!std::is_sorted(milestones.begin(), milestones.end()))
    throw error("multi_step: the milestones do not ascend", a.where());
  return [=](std::int64_t step) {
    const auto reached = std::upper_bound(milestones.begin(), milestones.end(), step);
    return rate * std::pow(factor, static_cast<double>(reached - milestones.begin()));
  };
}

rate_at exponential_rate(const given_arguments& a) {
  const auto rate = a.amount(0, "rate"), factor = a.amount(1, "factor");
  return [=](std::int64_t step) { return rate * std::pow(factor, static_cast<double>(step)); };
}

rate_at cosine_rate(const given_arguments& a) {
  const auto rate = a.amount(0, "rate");
  const auto steps = a.count(1, "steps");
  const auto least = a.amount(2, "least rate");
  return [=](std::int64_t step) { return half_wave(rate, least, share_of_steps(step, steps)); };
}

rate_at cosine_restarts_rate(const given_arguments& a) {
  const auto rate = a.amount(0, "rate");
  const auto first_steps = a.count(1, "steps"), growth = a.count(2, "times");
  const auto least = a.amount(3, "least rate");
  return [=](std::int64_t step) {
    auto length = first_steps;
    if (growth == 1) step %= length;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    while (step >= length) {
      step -= length;
      length = length > most / growth ? most : length * growth;
    }
    return half_wave(rate, least, share_of_steps(step, length));
  };
}

rate_at polynomial_rate(const given_arguments& a) {
  const auto rate = a.amount(0, "rate");
  const auto steps = a.count(1, "steps");
  const auto power = a.amount(2, "power"), least = a.amount(3, "least rate");
  return [=](std::int64_t step) {
    if (step >= steps) return least;  // also with a power of 0
    return least + (rate - least) * std::pow(1 - share_of_steps(step, steps), power);
  };
}

rate_at linear_rate(const given_arguments& a) {
  const auto from = a.amount(0, "rate"), to = a.amount(1, "rate");
  const auto steps = a.count(2, "steps");
  return [=](std::int64_t step) { return from + (to - from) * share_of_steps(step, steps); };
}

rate_at one_cycle_rate(const given_arguments& a) {
  const auto rate = a.amount(0, "rate");
  const auto steps = a.count(1, "steps");
  const auto share = a.real(2);
  // PyTorch counts the steps of both parts from 0 to the last one.
  const double top = share * static_cast<double>(steps) - 1, last = static_cast<double>(steps) - 1;
  if (!(share > 0 && share < 1) || top < 1)
    throw error("one_cycle: a share of " + real_text(share) + " of " + std::to_string(steps) +
                    " steps: it must have two at least and leave some",
                a.where());
  const double first = rate / 25, least = first / 1e4;
  return [=](std::int64_t step) {
    const auto at = static_cast<double>(step);
    if (at <= top) return half_wave(first, rate, at / top);
    return half_wave(rate, least, std::min((at - top) / (last - top), 1.));
  };
}

rate_at in_turn_rate(const given_arguments& a) {
  const auto steps = a.count(1, "steps");
  return [=, first = a.rate(0), then = a.rate(2)](std::int64_t step) {
    return step < steps ? first(step) : then(step - steps);
  };
}

rate_at by_epoch_rate(const given_arguments& a) {
  const auto steps_per_epoch = a.count(0, "steps");
  return [=, of_epoch = a.rate(1)](std::int64_t step) { return of_epoch(step / steps_per_epoch); };
}

struct schedule_row {
  std::string_view name;
  std::string_view takes;  ///< r: a rate or factor, n: a number of steps, l: several, s: a schedule
  rate_at (*make)(const given_arguments&);
};

constexpr schedule_row schedules[] = {{"step_decay", "rnr", step_decay_rate},
                                      {"multi_step", "rlr", multi_step_rate},
                                      {"exponential", "rr", exponential_rate},
                                      {"cosine", "rnr", cosine_rate},
                                      {"cosine_restarts", "rnnr", cosine_restarts_rate},
                                      {"polynomial", "rnrr", polynomial_rate},
                                      {"linear", "rrn", linear_rate},
                                      {"one_cycle", "rnr", one_cycle_rate},
                                      {"in_turn", "sns", in_turn_rate},
                                      {"by_epoch", "ns", by_epoch_rate}};

/// Converts an argument to the kind that a schedule takes. Returns false if it cannot be one.
bool becomes(schedule_argument& x, char kind) {
  const auto* integer = std::get_if<std::int64_t>(&x);
  const auto* real = std::get_if<double>(&x);
  switch (kind) {
    case 'r':
      if (integer) x = static_cast<double>(*integer);
      return integer || real;
    case 'n': return integer != nullptr;
    case 'l': return std::holds_alternative<std::vector<std::int64_t>>(x);
    default:
      if (integer) x = constant_rate(static_cast<double>(*integer));
      else if (real) x = constant_rate(*real);
      return std::holds_alternative<rate_schedule>(x);
  }
}

/// Returns an argument in a program's text; empty if it has none.
std::string argument_text(const schedule_argument& x) {
  if (const auto* real = std::get_if<double>(&x)) return real_text(*real);
  if (const auto* integer = std::get_if<std::int64_t>(&x)) return std::to_string(*integer);
  if (const auto* schedule = std::get_if<rate_schedule>(&x)) return schedule->text;
  std::string out;
  for (const auto one : std::get<std::vector<std::int64_t>>(x))
    out += (out.empty() ? "" : ", ") + std::to_string(one);
  return '[' + out + ']';
}

std::string schedule_text(std::string_view name, const std::vector<schedule_argument>& given) {
  auto out = "[\"" + std::string(name) + '"';
  for (const auto& one : given) {
    const auto text = argument_text(one);
    if (text.empty()) return "";
    out += ", " + text;
  }
  return out + ']';
}

}  // namespace

rate_schedule constant_rate(double rate) {
  return {[rate](std::int64_t) { return rate; }, real_text(rate)};
}

rate_schedule named_schedule(std::string_view name, std::vector<schedule_argument> given,
                             caller where) {
  const auto row = std::ranges::find(schedules, name, &schedule_row::name);
  if (row == std::end(schedules)) throw error("no schedule is named " + std::string(name), where);
  if (given.size() != row->takes.size())
    throw error(std::string(name) + ": takes " + count_text(row->takes.size(), "argument") +
                    ", not " + std::to_string(given.size()),
                where);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!becomes(given[i], row->takes[i]))
      throw error(std::string(name) + ": argument " + std::to_string(i + 1) +
                      " is of another kind than it takes",
                  where);
  }
  auto text = schedule_text(name, given);
  return {row->make({name, std::move(given), where}), std::move(text)};
}

}  // namespace troupe
