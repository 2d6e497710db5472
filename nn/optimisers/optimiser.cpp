// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/optimiser.hpp"

#include <algorithm>
#include <cmath>

#include "troupe/nn/optimisers/clip.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe::nn {

namespace {

/// Returns a count, for a function called `what`.
std::int64_t count_in(const variable& v, const char* what, caller where) {
  return v.defined() ? troupe::detail::integer_for(what, v.value(), where) : 0;
}

/// Sets a counter. The array is ready at once, so reading it later is no sync point.
void count_up(variable& v, std::int64_t to, caller where) {
  const auto place = v.defined() ? v.value().device() : cpu();
  v.assign(from_data(&to, {}, {.device = place}, where), where);
}

void check_count(update_rule rule, const variable& v, caller where) {
  const capture::aside uncaptured;
  if (!v.defined() || (v.value().dtype() == int64 && v.value().rank() == 0)) return;
  throw error(std::string(info(rule).name) + ": steps is " + to_string(v.value().type()) +
                  " and must be int64[]",
              where);
}

std::string_view name_of(update_rule rule) noexcept { return info(rule).name; }

void check_rate(update_rule rule, double rate, std::int64_t step, caller where) {
  if (std::isfinite(rate) && rate >= 0) return;
  throw error(std::string(name_of(rule)) + ": the rate of step " + std::to_string(step) + " is " +
                  real_text(rate) + " and must be 0 or more",
              where);
}

void check_limit(update_rule rule, const char* what, double limit, caller where) {
  if (limit > 0) return;
  throw error(
      std::string(name_of(rule)) + ": " + what + " is " + real_text(limit) + " and must be above 0",
      where);
}

}  // namespace

/// Change of one parameter in a step.
struct optimiser::change {
  slot* target;
  tensor gradient, scale;
};

void optimiser::add_group(std::vector<parameter> parameters, method how, caller where) {
  const auto who = std::string(name_of(how.rule));
  check_rate(how.rule, how.rate(0), 0, where);
  check_limit(how.rule, "clip_norm", how.clip_norm, where);
  check_limit(how.rule, "clip_value", how.numbers.limit, where);
  if (parameters.empty()) throw error(who + ": there are no parameters", where);
  std::vector<slot> fresh;
  const auto has = [](const std::vector<slot>& all, const parameter& p) {
    return std::any_of(all.begin(), all.end(), [&](const slot& s) { return s.parameter == p; });
  };
  for (auto& p : parameters) {
    if (has(slots_, p) || has(fresh, p))
      throw error(who + ": parameter " + std::to_string(&p - parameters.data()) +
                      (p.defined() ? ", " + to_string(p.value().type()) + "," : "") +
                      " is there already",
                  where);
    fresh.push_back({p, groups_.size(), std::vector<variable>(how.states.size()), {}});
  }
  groups_.push_back(std::move(how));
  for (auto& s : fresh) slots_.push_back(std::move(s));
  ++troupe::detail::changes_of_course;
}

void optimiser::step(std::int64_t batch_size, caller where) {
  if (batch_size < 1)
    throw error("step: the batch size is " + std::to_string(batch_size) + " and must be 1 or more",
                where);
  take_step(1 / static_cast<double>(batch_size), where);
}

void optimiser::zero_grad() const {
  for (const auto& s : slots_) s.parameter.zero_grad();
}

/// Returns the parameters with gradients, after creating or checking their states.
std::vector<optimiser::change> optimiser::changes(caller where) {
  std::vector<change> out;
  check_count(groups_.front().rule, steps_, where);
  for (auto& s : slots_) {
    const auto gradient = s.parameter.grad();
    if (!gradient.defined()) continue;
    auto type = s.parameter.value().type();
    type.element = computed(type.element);  // narrow floats lack the range for squares
    const auto& how = groups_[s.group];
    check_count(how.rule, s.steps, where);
    for (std::size_t i = 0; i < s.states.size(); ++i) {
      auto& state = s.states[i];
      if (!state.defined()) {
        const use_engine same(s.parameter.value().source()->engine);
        state.assign(full(type.dims, how.initial, {.dtype = type.element, .device = type.device}));
      } else if (state.value().type() != type) {
        throw error(std::string(name_of(how.rule)) + ": " + std::string(how.states[i]) + " is " +
                        to_string(state.value().type()) + " on " +
                        to_string(state.value().device()) + ", and its parameter " +
                        to_string(s.parameter.value().type()) + " on " + to_string(type.device),
                    where);
      }
    }
    out.push_back({&s, gradient, {}});
  }
  return out;
}

/// Sets the factor for the gradients of groups with a greatest norm.
void optimiser::scale_down(std::vector<change>& all, double share, caller where) const {
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const auto most = groups_[group].clip_norm;
    if (most == no_limit) continue;
    std::vector<tensor> gradients;
    for (const auto& c : all) {
      if (c.target->group == group) gradients.push_back(c.gradient);
    }
    if (gradients.empty()) continue;
    auto norm = norm_of_all(gradients, where);
    if (share != 1) norm = norm * share;
    auto scale = clip_factor(norm, most, where);
    if (share != 1) scale = scale * share;
    std::vector<tensor> copies{scale};  // one per device
    for (auto& c : all) {
      if (c.target->group != group) continue;
      const auto here = std::find_if(copies.begin(), copies.end(), [&](const tensor& x) {
        return x.device() == c.gradient.device();
      });
      c.scale =
          here != copies.end() ? *here : copies.emplace_back(to(scale, c.gradient.device(), where));
    }
  }
}

/// Returns the numbers of the next step, for the parameters in these slots.
std::vector<update_attributes> optimiser::numbers(const std::vector<std::size_t>& slots,
                                                  caller where) const {
  const capture::aside uncaptured;
  std::vector<double> rates;
  for (std::size_t group = 0; group < groups_.size(); ++group)
    rates.push_back(checked_rate(group, where));
  std::vector<update_attributes> out;
  for (const auto i : slots) {
    const auto& of = slots_[i];
    const auto& how = groups_[of.group];
    const auto step = counts_steps(how.rule) ? count_in(of.steps, "step", where) + 1 : 0;
    out.push_back(numbers_at(how.rule, how.numbers, rates[of.group], static_cast<double>(step)));
  }
  return out;
}

/// Counts a step of the parameters in these slots.
void optimiser::count(const std::vector<std::size_t>& slots, caller where) {
  for (const auto i : slots) {
    auto& s = slots_[i];
    const use_engine same(s.parameter.value().source()->engine);
    if (counts_steps(groups_[s.group].rule))
      count_up(s.steps, count_in(s.steps, "step", where) + 1, where);
  }
  const use_engine same(slots_[slots[0]].parameter.value().source()->engine);
  count_up(steps_, count_in(steps_, "step", where) + 1, where);
}

/// Lets a program take the numbers of the step that it is at, at each call, and count. Returns the
/// number of their source.
std::size_t optimiser::renew(capture& into, const std::vector<std::size_t>& slots, caller where) {
  const auto counter = [&](variable& v, bool used) -> std::shared_ptr<place> {
    if (!used) return nullptr;
    const capture::aside uncaptured;
    if (!v.defined()) count_up(v, 0, where);
    return v.as_place();
  };
  parameter_source source{.next = [this, slots, where] {
    std::vector<attributes> out;
    for (const auto& one : numbers(slots, where)) out.emplace_back(one);
    return out;
  }};
  std::vector<std::shared_ptr<place>> counters{counter(steps_, true)};
  for (const auto i : slots) {
    auto& s = slots_[i];
    const auto& how = groups_[s.group];
    auto own = counter(s.steps, counts_steps(how.rule));
    if (own) counters.push_back(own);
    source.numbers.push_back(
        {how.rule, how.rate.written(), how.numbers, counters[0], std::move(own)});
  }
  const auto number = into.add_source(std::move(source));
  into.add_source({[this, slots, where] {
                     count(slots, where);
                     return std::vector<attributes>();
                   },
                   {},
                   std::move(counters)});
  return number;
}

void optimiser::take_step(double share, caller where) {
  const no_grad off;
  const troupe::detail::on_behalf_of user(where);
  auto all = changes(where);
  if (all.empty()) return;
  scale_down(all, share, where);
  std::vector<std::size_t> slots;
  for (const auto& c : all) slots.push_back(static_cast<std::size_t>(c.target - slots_.data()));
  const auto given = numbers(slots, where);
  auto* const captured = capture::active();
  const auto source = captured ? renew(*captured, slots, where) : 0;

  // All checks come before any change.
  std::vector<update> updates;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [of, gradient, scale] = all[i];
    const std::vector<tensor> states(of->states.begin(), of->states.end());
    const auto by = scale.defined() ? tensor_or_scalar(scale) : tensor_or_scalar(share);
    updates.emplace_back(groups_[of->group].rule, of->parameter.value(), states, gradient, by,
                         given[i], where);
  }
  const use_engine same(all[0].gradient.source()->engine);
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& s = *all[i].target;
    const auto& fresh = updates[i].results();
    s.parameter.assign(fresh[0], where);
    for (std::size_t k = 0; k < s.states.size(); ++k) s.states[k].assign(fresh[k + 1], where);
    if (captured) captured->renew_next(updates[i].operation(), {source, i});
    std::move(updates[i]).submit();
  }
  if (!captured) count(slots, where);
}

std::int64_t optimiser::steps(caller where) const { return count_in(steps_, "steps", where); }

const optimiser::method& optimiser::group_at(std::size_t group, caller where) const {
  if (group < groups_.size()) return groups_[group];
  throw error("rate: there is no group " + std::to_string(group) + ", there are " +
                  std::to_string(groups_.size()),
              where);
}

double optimiser::checked_rate(std::size_t group, caller where) const {
  const auto rate = this->rate(group, where);
  check_rate(groups_[group].rule, rate, steps(where), where);
  return rate;
}

double optimiser::rate(std::size_t group, caller where) const {
  return group_at(group, where).rate(count_in(steps_, "rate", where));
}

void optimiser::set_rate(const schedule& rate, std::optional<std::size_t> group, caller where) {
  if (group) group_at(*group, where);
  const auto step = count_in(steps_, "set_rate", where);
  check_rate(groups_.front().rule, rate(step), step, where);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (!group || *group == i) groups_[i].rate = rate;
  }
}

void optimiser::visit(visitor& to) {
  const auto show = [&](std::string_view name, variable& v) {
    const visitor::step into(to, name);
    to.at(v);
  };
  show("steps", steps_);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    auto& s = slots_[i];
    const auto& how = groups_[s.group];
    const visitor::step into(to, std::to_string(i));
    for (std::size_t k = 0; k < s.states.size(); ++k) show(how.states[k], s.states[k]);
    if (counts_steps(how.rule)) show("steps", s.steps);
  }
}

}  // namespace troupe::nn
