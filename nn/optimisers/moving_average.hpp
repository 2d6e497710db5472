// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/nn/variable.hpp"
#include "troupe/nn/visitor.hpp"

namespace troupe::nn {

struct moving_average_options {
  double decay = 0.999;  ///< part of the average that stays at each step
};

/// Exponential moving averages of the parameters that an optimiser trains: a = decay a + (1 -
/// decay) p after each step. They often do better than the parameters themselves. Polyak and
/// Juditsky 1992, "Acceleration of stochastic approximation by averaging".
///
///     nn::adam optimiser(nn::parameters(net));
///     nn::moving_average average(nn::parameters(net));
///     for (const auto& [x, y] : batches) {
///       optimiser.minimise([&] { return mean(square(net(x) - y)); });
///       average.step();
///     }
///     average.swap();  // the network computes with the averages
///     evaluate(net);
///     average.swap();  // and with its own parameters again
///
/// Waits for nothing, and may be part of a compiled function.
class moving_average {
 public:
  /// Begins with the parameters' arrays; one that has none yet takes part from its first step on,
  /// with the array that it has then. Throws for no parameters and a decay outside [0, 1].
  explicit moving_average(std::vector<parameter> parameters,
                          const moving_average_options& options = {},
                          caller where = caller::current());

  /// Notes that the optimiser has taken a step. Throws while averages stand for the parameters.
  void step(caller where = caller::current());
  /// Exchanges the parameters and their averages.
  void swap(caller where = caller::current());
  /// Returns true while the averages stand for the parameters.
  bool swapped() const noexcept { return swapped_; }

  /// Visits its state: "0" and the like, the averages of parameters with arrays; the parameters
  /// themselves while averages stand for them.
  void visit(visitor& to);

 private:
  struct slot {
    parameter of;
    variable average;
  };

  double decay_;
  std::vector<slot> slots_;
  bool swapped_ = false;
};

}  // namespace troupe::nn
