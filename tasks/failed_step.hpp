// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace troupe {

/// Failure of one of the steps that a task consists of, which has a place of its own in the user's
/// code.
struct failed_step : std::runtime_error {
  failed_step(const std::string& text, std::source_location place)
      : std::runtime_error(text), call_site(place) {}

  std::source_location call_site;
};

}  // namespace troupe
