// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <thread>

namespace troupe::testing {

/// Waits for what others do without being asked, of which nobody is told. Returns false if it does
/// not come.
template <class Condition>
bool comes_true(const Condition& holds) {
  for (int i = 0; i < 10'000; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace troupe::testing
