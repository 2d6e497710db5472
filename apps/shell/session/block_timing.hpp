// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/actors/runtime.hpp"

namespace troupe::shell {

/// Measurements of `time { … }`; times are in seconds.
struct block_timing {
  double submitted = 0;  ///< until all of it was submitted
  double finished = 0;   ///< until all of it had run
  overlap_report overlap;
};

}  // namespace troupe::shell
