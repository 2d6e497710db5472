// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace troupe {

/// Snapshot of one actor of a runtime.
struct actor_state {
  std::string name;           ///< "frontend", "dependency cpu:0", "cpu:0 lane 0", "copy to cpu:0"
  std::uint64_t handled = 0;  ///< messages handled so far, including the current one
  std::uint64_t waiting = 0;  ///< messages in its mailbox
};

}  // namespace troupe
