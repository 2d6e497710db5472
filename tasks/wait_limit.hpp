// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>

namespace troupe {

/// End of a wait that comes before its goal: a point in time, or a request to stop from another
/// thread.
struct wait_limit {
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  std::stop_token stop = {};

  bool endless() const noexcept { return !deadline && !stop.stop_possible(); }
  bool reached() const {
    return stop.stop_requested() || (deadline && std::chrono::steady_clock::now() >= *deadline);
  }
};

}  // namespace troupe
