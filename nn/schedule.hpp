// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "troupe/tensor/program/rate_schedule.hpp"

/// Schedules: learning rates that change over time.

namespace troupe::nn {

/// Rate for each step, counted from 0: a number, one of the functions below, or a function of your
/// own, which has no text in programs. It depends on the step alone, so an optimiser that continues
/// another one's work needs only the number of steps.
///
///     nn::sgd optimiser(nn::parameters(net), {.rate = nn::warm_up(500, nn::cosine(0.1, 10'000))});
class schedule {
 public:
  /// Constructs a constant rate.
  schedule(double rate) : is_(constant_rate(rate)) {}
  explicit schedule(rate_schedule is) : is_(std::move(is)) {}
  template <class F>
  requires(!std::same_as<std::decay_t<F>, schedule> &&
           std::is_invocable_r_v<double, const std::decay_t<F>&, std::int64_t>) schedule(F&& at)
      : is_{std::forward<F>(at)} {}

  double operator()(std::int64_t step) const { return is_.at(step); }
  /// Returns the same, with its text.
  const rate_schedule& written() const noexcept { return is_; }

 private:
  rate_schedule is_;
};

// All functions throw for rates or factors that are negative or NaN, and for spans of less than a
// step.

/// Returns rate factor^floor(step / every). PyTorch's StepLR.
schedule step_decay(double rate, std::int64_t every, double factor = 0.1,
                    caller where = caller::current());
/// Returns rate factor^n, where n is the number of milestones reached; milestones ascend. PyTorch's
/// MultiStepLR.
schedule multi_step(double rate, std::vector<std::int64_t> milestones, double factor = 0.1,
                    caller where = caller::current());
/// Returns rate factor^step. PyTorch's ExponentialLR.
schedule exponential(double rate, double factor, caller where = caller::current());
/// Returns least + (rate - least) (1 + cos(pi step / steps)) / 2, and `least` after these steps.
/// PyTorch's CosineAnnealingLR (which then rises again); Loshchilov and Hutter 2017, "SGDR".
schedule cosine(double rate, std::int64_t steps, double least = 0,
                caller where = caller::current());
/// Repeats the cosine schedule: each restart takes `growth` times as many steps. PyTorch's
/// CosineAnnealingWarmRestarts.
schedule cosine_restarts(double rate, std::int64_t first_steps, std::int64_t growth = 1,
                         double least = 0, caller where = caller::current());
/// Returns least + (rate - least) (1 - step / steps)^power, and `least` after these steps.
/// PyTorch's PolynomialLR.
schedule polynomial(double rate, std::int64_t steps, double power = 1, double least = 0,
                    caller where = caller::current());
/// Interpolates linearly from one rate to another, then stays there. PyTorch's LinearLR.
schedule linear(double from, double to, std::int64_t steps, caller where = caller::current());

/// Rises along half a cosine wave from rate / 25 to `rate` in the first `share` of the steps, falls
/// likewise to rate / 250'000 in the others, and stays there. Smith and Topin 2018,
/// "Super-convergence"; PyTorch's OneCycleLR. Throws for a share outside (0, 1), and fewer than two
/// steps in it.
schedule one_cycle(double rate, std::int64_t steps, double share = 0.3,
                   caller where = caller::current());

/// Rises linearly for `steps` steps from `share` of the rate that `then` begins with; then follows
/// `then` from its beginning.
schedule warm_up(std::int64_t steps, schedule then, double share = 0,
                 caller where = caller::current());
/// Follows `first` for `steps` steps, then `then` from its beginning. PyTorch's SequentialLR.
schedule in_turn(schedule first, std::int64_t steps, schedule then,
                 caller where = caller::current());
/// Converts a schedule of epochs, each of `steps_per_epoch` steps of an optimiser, to one of steps.
schedule by_epoch(std::int64_t steps_per_epoch, schedule of_epoch,
                  caller where = caller::current());

}  // namespace troupe::nn
