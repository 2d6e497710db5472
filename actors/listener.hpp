// SPDX-License-Identifier: MIT
#pragma once

#include <caf/fwd.hpp>

#include "troupe/actors/actor_counters.hpp"

namespace troupe {

/// Is told of each message that an actor takes from its mailbox, before it acts on it, on the
/// thread that it runs on.
class listener {
 public:
  virtual ~listener() = default;
  virtual void heard(const actor_counters& by, caf::mailbox_element& message) = 0;
};

}  // namespace troupe
