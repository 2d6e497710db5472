// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/language/evaluator/arguments.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe::language {

namespace {

using counter = std::shared_ptr<place>;

counter counter_of(const dynamic_value& x, const arguments& a) {
  if (const auto* one = std::get_if<counter>(&x)) return *one;
  throw error(std::string(a.of().name) + ": takes counters of a program, not " + describe(x),
              a.where());
}

update_rule rule_of(const arguments& a) {
  const auto found = std::ranges::find(update_table, a.text(0), &update_info::name);
  if (found != std::end(update_table))
    return static_cast<update_rule>(found - std::begin(update_table));
  throw error("update: no rule is named " + a.text(0), a.where());
}

rate_schedule rate_of(const dynamic_value& x, caller where, int depth = 0);

schedule_argument schedule_argument_of(const dynamic_value& x, caller where, int depth) {
  if (const auto* number = std::get_if<scalar>(&x)) {
    if (number->type() == scalar::kind::integer) return number->attribute(int64).integer;
    return number->real();
  }
  const auto* items = std::get_if<std::shared_ptr<const list>>(&x);
  const auto is_integer = [](const dynamic_value& one) {
    const auto* number = std::get_if<scalar>(&one);
    return number && number->type() == scalar::kind::integer;
  };
  if (!items || !std::ranges::all_of((*items)->items, is_integer)) return rate_of(x, where, depth);
  std::vector<std::int64_t> out;
  for (const auto& one : (*items)->items)
    out.push_back(std::get<scalar>(one).attribute(int64).integer);
  return out;
}

/// Returns the rate that a number or a list, such as ["cosine", 0.1, 1000, 0.0], stands for.
rate_schedule rate_of(const dynamic_value& x, caller where, int depth) {
  constexpr int deepest = 32;
  if (const auto* number = std::get_if<scalar>(&x)) return constant_rate(number->real());
  const auto* items = std::get_if<std::shared_ptr<const list>>(&x);
  const auto* name =
      items && !(*items)->items.empty() ? std::get_if<std::string>(&(*items)->items[0]) : nullptr;
  if (!name || depth == deepest)
    throw error("update: a rate is a number, or a schedule such as [\"linear\", 0.1, 0.0, 1000]",
                where);
  std::vector<schedule_argument> given;
  for (std::size_t i = 1; i < (*items)->items.size(); ++i)
    given.push_back(schedule_argument_of((*items)->items[i], where, depth + 1));
  return named_schedule(*name, std::move(given), where);
}

dynamic_value update_of(const arguments& a) {
  constexpr std::size_t first_option = 8;
  const no_grad off;
  batching::need_loop();
  update_numbers by{.rule = rule_of(a),
                    .rate = rate_of(a.any(5), a.where()),
                    .given = {},
                    .steps = counter_of(a.any(6), a),
                    .own = nullptr};
  if (counts_steps(by.rule)) by.own = counter_of(a.any(7), a);
  for (std::size_t i = first_option; const auto& [name, number] : update_option_table) {
    if (a.has(i)) by.given.*number = a.real(i);
    ++i;
  }
  const auto states = a.arrays(2);
  update made(by.rule, a.array(1), states, a.array(3), a.operand(4), by.next(a.where()), a.where());
  const auto results = made.results();
  if (auto* const into = capture::active())
    into->renew_next(made.operation(),
                     {into->add_source(source_of({std::move(by)}, a.where())), 0});
  std::move(made).submit();
  if (results.size() == 1) return results[0];
  return std::make_shared<const list>(list{{results.begin(), results.end()}});
}

dynamic_value count_up_of(const arguments& a) {
  batching::need_loop();
  const auto* items = std::get_if<std::shared_ptr<const list>>(&a.any(0));
  std::vector<counter> all;
  if (!items) all.push_back(counter_of(a.any(0), a));
  else {
    for (const auto& one : (*items)->items) all.push_back(counter_of(one, a));
  }
  auto source = source_that_counts(std::move(all), a.where());
  if (auto* const into = capture::active()) into->add_source(std::move(source));
  else source.next();
  return {};
}

}  // namespace

std::vector<word> update_words() {
  return {
      {"update", "gradients",
       "rule: text, x, states: arrays, gradient, scale: operand, rate: any, steps: any, "
       "own_steps: any = none, decay: number = 0, limit: number = none, first: number = 0, "
       "second: number = 0, epsilon: number = 0, rate_decay: number = 0",
       "An optimiser's step of one parameter in a program: it and its states anew.", update_of},
      {"count_up", "gradients", "counters: any",
       "Adds 1 to counters of a program, on which rates depend.", count_up_of},
  };
}

}  // namespace troupe::language
