// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/nn/variable.hpp"
#include "troupe/nn/visitor.hpp"

namespace troupe::nn {

struct lookahead_options {
  std::int64_t every = 5;  ///< steps of the optimiser to look ahead
  double share = 0.5;      ///< part of the way that the slow weights go
};

/// Slow weights beside those that an optimiser trains: every few steps they go part of the way to
/// the optimiser's, which go on from there. Zhang et al. 2019, "Lookahead optimizer: k steps
/// forward, 1 step back".
///
///     nn::adam optimiser(nn::parameters(net));
///     nn::lookahead slow(nn::parameters(net));
///     for (const auto& [x, y] : batches) {
///       optimiser.minimise([&] { return mean(square(net(x) - y)); });
///       slow.step();
///     }
///
/// Waits for nothing. `step` counts its calls, so it stays outside of compiled functions.
class lookahead {
 public:
  /// Begins with the parameters' arrays; one that has none yet takes part from its first step on,
  /// with the array that it has then. Throws for no parameters, fewer than one step, and a share
  /// outside (0, 1].
  explicit lookahead(std::vector<parameter> parameters, const lookahead_options& options = {},
                     caller where = caller::current());

  /// Notes that the optimiser has taken a step; after every so many, moves the slow weights and
  /// assigns them to the parameters.
  void step(caller where = caller::current());
  /// Returns the number of steps so far.
  std::int64_t steps(caller where = caller::current()) const;

  /// Visits its state: "steps", and "0" and the like, the slow weights of parameters with arrays.
  void visit(visitor& to);

 private:
  struct slot {
    parameter fast;
    variable slow;
  };

  lookahead_options options_;
  std::vector<slot> slots_;
  variable steps_;
};

}  // namespace troupe::nn
