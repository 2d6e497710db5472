// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Learning rate for each step, counted from 0.
struct rate_schedule {
  std::function<double(std::int64_t step)> at;
  std::string text = {};  ///< in programs: `["cosine", 0.1, 1000, 0.0]`; empty: it has none
};

rate_schedule constant_rate(double rate);

/// Argument of a schedule: a rate or factor, a number of steps, several of them, or a schedule.
using schedule_argument =
    std::variant<double, std::int64_t, std::vector<std::int64_t>, rate_schedule>;

/// Returns the schedule of that name in nn/schedule.hpp: "cosine" of {0.1, 1000, 0.0}. Throws if
/// there is none, and for arguments that it does not take.
rate_schedule named_schedule(std::string_view name, std::vector<schedule_argument> given,
                             caller where);

}  // namespace troupe
