// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/update.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/indexing.hpp"

namespace troupe {

namespace {

using rule_t = update_rule;

[[noreturn]] void refuse_input(std::string_view rule, const std::string& what, const tensor_type& t,
                               const tensor_type& parameter, caller where) {
  throw error(std::string(rule) + ": the " + what + " is " + to_string(t) + ", and the parameter " +
                  to_string(parameter),
              where);
}

/// Inputs: the parameter, its states, the gradient and, if that is a tensor, the scale.
template <rule_t Rule>
tensor_types infer(std::span<const tensor_type> in, const attributes&, caller where) {
  constexpr std::size_t states = info(Rule).states;
  const auto& parameter = in[0];
  if (!is_floating(parameter.element))
    refuse(info(Rule).name, "the parameter has no floats", in.first(1), where);
  auto state = parameter;
  state.element = computed(parameter.element);
  for (std::size_t i = 1; i <= states; ++i) {
    if (in[i] != state)
      throw error(std::string(info(Rule).name) + ": the state " + std::to_string(i - 1) + " is " +
                      to_string(in[i]) + " and must be " + to_string(state),
                  where);
  }
  if (in[states + 1] != parameter)
    refuse_input(info(Rule).name, "gradient", in[states + 1], parameter, where);
  if (in.size() > states + 2 && in[states + 2].dims.size() != 1)
    refuse_input(info(Rule).name, "scale", in[states + 2], parameter, where);
  tensor_types out;
  for (std::size_t i = 0; i <= states; ++i) out.emplace_back(i == 0 ? parameter : state);
  return out;
}

/// The results of an update, joined: the generic tests look at one tensor. What a rule takes the
/// root of is positive.
template <rule_t Rule>
tensor all_results(std::span<const tensor> in) {
  constexpr std::size_t states = info(Rule).states;
  std::vector<tensor> before(in.begin() + 1, in.begin() + 1 + states);
  for (auto& state : before) state = astype(state, computed(state.dtype()));
  constexpr bool rooted = Rule != rule_t::sgd_momentum && Rule != rule_t::sgd_nesterov;
  if constexpr (rooted && states > 0) {
    for (auto& state : before) state = add(square(state), 1);
  }
  if constexpr (Rule == rule_t::rmsprop_centred || Rule == rule_t::rmsprop_centred_momentum)
    before[0] = add(before[0], 200);
  const auto scale =
      in.size() > states + 2 ? tensor_or_scalar(in[states + 2]) : tensor_or_scalar(0.75);
  update u(Rule, in[0], before, in[states + 1], scale,
           {.rate = 0.5,
            .decay = 0.25,
            .limit = 1.75,
            .first = 0.5,
            .second = 0.75,
            .epsilon = 0.125,
            .correction = 2});
  const auto out = u.results();
  std::move(u).submit();
  return stack(out);
}

template <rule_t Rule>
std::vector<sample> samples() {
  std::vector<sample> out;
  for (const auto element : {float32, float64}) {
    for (const auto& dims : {shape{2, 3}, {}, {3, 0}, {5, 7, 2}}) {
      std::vector<tensor_type> in(static_cast<std::size_t>(info(Rule).states) + 2,
                                  {dims, element, {}});
      auto with_scale = in;
      with_scale.push_back({{}, element, {}});
      out.push_back({std::move(with_scale), all_results<Rule>});
      out.push_back({std::move(in), all_results<Rule>});
    }
  }
  return out;
}

template <rule_t Rule>
constexpr operation make_record() noexcept {
  operation r{.name = info(Rule).name, .doc = info(Rule).doc};
  r.infer = infer<Rule>;
  r.kernel = [](const task& t, const kernel_table& from) {
    return from.update(Rule, t.inputs[0].element);
  };
  r.flops_per_element = 4;
  r.in_place = operation::any_input;
  r.numbers = 1 << (info(Rule).states + 2);
  r.gradient = differentiability::none;
  r.samples = samples<Rule>;
  r.parameters = &sends<update_attributes>;
  return r;
}

template <std::size_t... Rule>
constexpr auto make_records(std::index_sequence<Rule...>) noexcept {
  return std::array<operation, sizeof...(Rule)>{make_record<static_cast<rule_t>(Rule)>()...};
}

constinit const auto records = make_records(std::make_index_sequence<update_rule_count>{});

const operation& record(rule_t rule) noexcept { return records[static_cast<std::size_t>(rule)]; }

}  // namespace

update_attributes numbers_at(update_rule rule, const update_options& given, double rate,
                             double step) {
  update_attributes out{.rate = rate,
                        .decay = given.decay,
                        .limit = given.limit,
                        .first = given.first,
                        .second = given.second,
                        .epsilon = given.epsilon};
  switch (rule) {
    case rule_t::adam:
    case rule_t::adamw:
    case rule_t::adam_amsgrad:
    case rule_t::adamw_amsgrad:
      out.rate = rate / (1 - std::pow(given.first, step));
      out.correction = 1 / std::sqrt(1 - std::pow(given.second, step));
      if (rule == rule_t::adamw || rule == rule_t::adamw_amsgrad) out.decay = rate * given.decay;
      break;
    case rule_t::adagrad: out.rate = rate / (1 + (step - 1) * given.rate_decay); break;
    case rule_t::lion: out.decay = rate * given.decay; break;
    default: break;
  }
  return out;
}

update::update(update_rule rule, const tensor& parameter, std::span<const tensor> states,
               const tensor& gradient, const tensor_or_scalar& scale,
               const update_attributes& given, caller where) {
  const auto& op = record(rule);
  if (states.size() != static_cast<std::size_t>(info(rule).states))
    throw error(std::string(op.name) + ": " + std::to_string(states.size()) + " states, not " +
                    std::to_string(info(rule).states),
                where);
  std::vector<const tensor*> in{&parameter};
  for (const auto& s : states) in.push_back(&s);
  in.push_back(&gradient);
  if (scale.array()) in.push_back(scale.array());
  const auto at = common_home(op.name, in, where);
  small_vector<tensor_type, 6> types;
  for (const auto* x : in) types.emplace_back(x->type());
  const auto outputs = op.infer(types, {}, where);
  const auto element = computed(parameter.dtype());

  runtime_ = &at.runtime;
  task_ = std::make_unique<task>(op, at.device, where);
  task_->attributes = given;
  for (const auto* x : in) {
    if (x != scale.array()) add_input(*task_, *x);
  }
  if (scale.array()) add_input(*task_, astype(*scale.array(), element, where));
  else add_input(*task_, element, scale.number().bytes(element));
  results_ = add_outputs(*runtime_, *task_, outputs);
}

void update::submit() && { troupe::submit(*runtime_, std::move(task_)); }

std::span<const operation> update_operations() noexcept { return records; }

}  // namespace troupe
