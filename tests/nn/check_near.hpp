// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

/// Checks that numbers are those wanted, up to rounding.
inline void check_near(const std::vector<double>& found, const std::vector<double>& want,
                       double tolerance = 1e-12) {
  REQUIRE(found.size() == want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    CAPTURE(i, found[i], want[i]);
    REQUIRE(near(found[i], want[i], tolerance));
  }
}

/// Checks the elements of a tensor likewise.
inline void check_near(const tensor& found, const std::vector<double>& want) {
  check_near(numbers(found), want);
}

}  // namespace troupe::testing
