// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "troupe/nn/schedule.hpp"
#include "troupe/nn/variable.hpp"
#include "troupe/nn/visitor.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/update.hpp"

namespace troupe {
class capture;
}

namespace troupe::nn {

/// Value of `clip_norm` and `clip_value` that leaves gradients as they are.
inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Base of optimisers, which change parameters by their gradients.
///
///     nn::adam optimiser(nn::parameters(net), {.rate = 1e-3});
///     for (const auto& [x, y] : batches)
///       optimiser.minimise([&] { return mean(square(net(x) - y)); });
///
/// or, in single steps, as in PyTorch,
///
///     optimiser.zero_grad();
///     tensor loss;
///     {
///       const recording on;
///       loss = mean(square(net(x) - y));
///     }
///     loss.backward();
///     optimiser.step();
///
/// A step only submits: one task for each parameter, which overwrites the parameter and its
/// optimiser state in place unless their memory is still shared. Parameters without a gradient are
/// skipped: those that took no part in the loss, that are frozen, or whose layer was not called
/// yet. A parameter whose gradient could not be computed fails with it.
///
/// Parameters with the same options form a group; `add` creates another one. If a group has
/// `clip_norm` and its gradients together have a greater norm, they are scaled down to it; with
/// `clip_value`, every element is clamped to [-clip_value, clip_value]. Neither waits, and the
/// gradients themselves stay as they are.
class optimiser {
 public:
  optimiser(const optimiser&) = delete;
  optimiser& operator=(const optimiser&) = delete;
  virtual ~optimiser() = default;

  /// Changes the parameters by their gradients, without clearing those: see `zero_grad`. Does
  /// nothing if there is no gradient. Throws if the rate is negative or NaN, or if a restored state
  /// does not fit; then nothing changes.
  void step(caller where = caller::current()) { take_step(1, where); }
  /// Does the same with gradients divided by the size of the batch: for a loss that is a sum.
  /// Throws if the size is below 1.
  void step(std::int64_t batch_size, caller where = caller::current());
  /// Clears the gradients.
  void zero_grad() const;

  /// Performs a whole step: clears the gradients, calls `loss`, which returns a tensor of one
  /// element, while recording, runs the backward pass and changes the parameters. Returns the loss,
  /// which is no sync point until it is read.
  template <class F>
  tensor minimise(F&& loss, caller where = caller::current()) {
    zero_grad();
    tensor out;
    {
      const recording on;
      out = loss();
    }
    out.backward(where);
    step(where);
    return out.detach();
  }

  /// Returns the number of steps so far.
  std::int64_t steps(caller where = caller::current()) const;
  /// Returns the rate of a group's next step. Throws if there is no such group.
  double rate(std::size_t group = 0, caller where = caller::current()) const;
  /// Sets the rate of one group, or of all. Throws if there is no such group, or for a rate that
  /// begins below 0.
  void set_rate(const schedule& rate, std::optional<std::size_t> group = {},
                caller where = caller::current());

  /// Visits its state, which is all that another optimiser with the same parameters and options
  /// needs to continue exactly as this one would: "steps", and for parameter number i "i.momentum"
  /// and the like. States may also be assigned before the first step; those of parameters that
  /// never changed have no array.
  void visit(visitor& to);

 protected:
  /// Properties that distinguish one optimiser from others.
  struct method {
    update_rule rule;
    schedule rate;
    double clip_norm;
    std::vector<std::string_view> states;  ///< names of the states
    double initial = 0;                    ///< initial value of the states
    update_options numbers;                ///< `limit` is the greatest value of a gradient
  };

  optimiser() = default;
  /// Adds a group. Throws for invalid rates and limits, no parameters, and a parameter that was
  /// added already.
  void add_group(std::vector<parameter> parameters, method how, caller where);

 private:
  struct slot {
    nn::parameter parameter;
    std::size_t group;
    std::vector<variable> states;
    variable steps;
  };
  struct change;

  void take_step(double share, caller where);
  std::vector<update_attributes> numbers(const std::vector<std::size_t>& slots, caller where) const;
  void count(const std::vector<std::size_t>& slots, caller where);
  std::size_t renew(capture& into, const std::vector<std::size_t>& slots, caller where);
  std::vector<change> changes(caller where);
  void scale_down(std::vector<change>& all, double share, caller where) const;
  double checked_rate(std::size_t group, caller where) const;
  const method& group_at(std::size_t group, caller where) const;

  std::vector<method> groups_;
  std::vector<slot> slots_;
  variable steps_;
};

}  // namespace troupe::nn
