// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cpu/features.hpp"

namespace troupe::testing {

/// Returns true if this build compiles expressions for this CPU.
inline bool can_compile() {
#ifdef TROUPE_HAS_ASMJIT
  return best_instruction_set() != instruction_set::baseline;
#else
  return false;
#endif
}

}  // namespace troupe::testing
