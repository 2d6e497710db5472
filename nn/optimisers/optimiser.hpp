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

namespace troupe::nn {

/// For `clip_norm` and `clip_value`: gradients may be as large as they are.
inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// What trains: changes parameters by their gradients.
///
///     nn::adam optimiser(nn::parameters(net), {.rate = 1e-3});
///     for (const auto& [x, y] : batches)
///       optimiser.minimise([&] { return mean(square(net(x) - y)); });
///
/// or, in single steps, as PyTorch has it,
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
/// A step only submits: one task for each parameter, which writes the new parameter, and what the
/// optimiser remembers of it, over the old one unless somebody else holds that. Parameters without
/// a gradient are passed by: those that took no part in the loss, that are frozen, or whose layer
/// was not called yet. One whose gradient could not be computed fails with it.
///
/// All parameters with the same options make a group; `add` makes another one. Where a group has
/// `clip_norm`, and its gradients together have a greater norm, they are scaled down to it; with
/// `clip_value` every element is kept between -clip_value and clip_value. Neither waits, and the
/// gradients themselves stay as they are.
class optimiser {
 public:
  optimiser(const optimiser&) = delete;
  optimiser& operator=(const optimiser&) = delete;
  virtual ~optimiser() = default;

  /// Changes the parameters by their gradients, which it leaves there: see `zero_grad`. Without any
  /// gradient it does nothing. Throws if the rate is negative or no number, or if a restored state
  /// does not fit; then nothing changes.
  void step(caller where = caller::current()) { take_step(1, where); }
  /// The same with gradients divided by the size of the batch: for a loss that is a sum. Throws if
  /// that is below 1.
  void step(std::int64_t batch_size, caller where = caller::current());
  /// Forgets the gradients.
  void zero_grad() const;

  /// A whole step: forgets the gradients, calls `loss`, which gives a tensor of one element, while
  /// recording, goes back through it, and changes the parameters. Gives the loss, which is no sync
  /// point until it is read.
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

  /// How many steps there were.
  std::int64_t steps() const;
  /// The rate of the next step, of a group. Throws if there is no such group.
  double rate(std::size_t group = 0, caller where = caller::current()) const;
  /// Another rate for all groups, or one. Throws if there is no such group, or for one that begins
  /// below 0.
  void set_rate(const schedule& rate, std::optional<std::size_t> group = {},
                caller where = caller::current());

  /// Shows what it remembers, which is all that another optimiser with the same parameters and
  /// options needs to go on exactly as this one would: "steps", and for parameter number i
  /// "i.momentum" and the like. They may be assigned to before the first step, too; those that
  /// never changed have no array.
  void visit(visitor& to);

 protected:
  /// What makes one optimiser differ from others.
  struct method {
    update_rule rule;
    schedule rate;
    double clip_norm;
    double clip_value;
    std::vector<std::string_view> states;  ///< their names
    double initial = 0;                    ///< what is in them at first
    bool counts = false;                   ///< whether `numbers` makes use of the step
    /// The numbers of step `step`, counted from 1 for each parameter.
    std::function<update_attributes(double rate, double step)> numbers;
  };

  optimiser() = default;
  /// Throws for rates and limits that make no sense, no parameters, and one that is there already.
  void add_group(std::vector<parameter> parameters, method how, caller where);

 private:
  struct slot {
    parameter what;
    std::size_t group;
    std::vector<variable> states;
    variable steps;
  };
  struct change;

  void take_step(double share, caller where);
  std::vector<change> changes(caller where);
  void scale_down(std::vector<change>& all, double share, caller where) const;
  double checked_rate(std::size_t group, caller where) const;
  const method& group_at(std::size_t group, caller where) const;

  std::vector<method> groups_;
  std::vector<slot> slots_;
  variable steps_;
};

}  // namespace troupe::nn
