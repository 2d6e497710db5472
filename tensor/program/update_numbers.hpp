// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "troupe/tensor/ops/update.hpp"
#include "troupe/tensor/program/place.hpp"
#include "troupe/tensor/program/rate_schedule.hpp"

namespace troupe {

/// Numbers of an optimiser's update, which change from step to step.
struct update_numbers {
  update_rule rule;
  rate_schedule rate;
  update_options given;
  std::shared_ptr<place> steps;  ///< counter of the optimiser's steps so far
  std::shared_ptr<place> own;    ///< of the parameter's, where `counts_steps(rule)`; else null

  /// Returns the numbers of the next step. Throws for a rate that is negative or NaN.
  update_attributes next(caller where) const;
};

/// Returns the number in a counter, which is ready. Throws unless it is 0 or more.
std::int64_t count_in(const place& counter, caller where);
/// Adds 1 to a counter. Its array is ready at once.
void count_up(place& counter, caller where);

}  // namespace troupe
