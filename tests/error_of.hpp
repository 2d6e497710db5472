// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "troupe/tasks/error.hpp"

namespace troupe::testing {

/// Returns the text of the error that `f` throws; "no error" if it throws none.
inline std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const error& e) { return e.what(); }
  return "no error";
}

}  // namespace troupe::testing
