// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string_view>
#include <utility>

#include "troupe/devices/update.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe {

/// The numbers of an update that stay the same from step to step.
struct update_options {
  double decay = 0;
  double limit = std::numeric_limits<double>::infinity();
  double first = 0;
  double second = 0;
  double epsilon = 0;
  double rate_decay = 0;

  bool operator==(const update_options&) const = default;
};

/// The options by name, as programs write them.
inline constexpr std::pair<std::string_view, double update_options::*> update_option_table[] = {
    {"decay", &update_options::decay},     {"limit", &update_options::limit},
    {"first", &update_options::first},     {"second", &update_options::second},
    {"epsilon", &update_options::epsilon}, {"rate_decay", &update_options::rate_decay}};

/// Returns true if the numbers of a rule depend on the number of a parameter's step.
constexpr bool counts_steps(update_rule rule) noexcept {
  return rule == update_rule::adam || rule == update_rule::adamw ||
         rule == update_rule::adam_amsgrad || rule == update_rule::adamw_amsgrad ||
         rule == update_rule::adagrad;
}

/// Returns the numbers of a parameter's step number `step`, counted from 1, at such a rate.
update_attributes numbers_at(update_rule rule, const update_options& given, double rate,
                             double step);

/// An optimiser's change of one parameter: a single task, which is not submitted yet. Let the
/// results take the places of the arrays that they are computed from, then submit it: memory that
/// nobody else holds is then written over, even if it runs at once. A gradient does not flow
/// through it.
class update {
 public:
  /// See update_rule for the formulas. The states are as many as the rule has, all arrays of the
  /// parameter's shape and on its device, of the dtype that its floats are computed in; `scale` is
  /// a number or a tensor with one element. Throws if something does not fit.
  update(update_rule rule, const tensor& parameter, std::span<const tensor> states,
         const tensor& gradient, const tensor_or_scalar& scale, const update_attributes& given,
         caller where = caller::current());

  /// The new parameter and the new states.
  const std::vector<tensor>& results() const noexcept { return results_; }
  const troupe::operation& operation() const noexcept { return *task_->op; }
  /// Once only; if it is never called, the results fail.
  void submit() &&;

 private:
  engine* runtime_;
  task_ptr task_;
  std::vector<tensor> results_;
};

/// The records of all rules, in the order of `update_rule`.
std::span<const operation> update_operations() noexcept;

}  // namespace troupe
