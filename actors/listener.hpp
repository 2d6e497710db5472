// SPDX-License-Identifier: MIT
#pragma once

#include <caf/fwd.hpp>

#include "troupe/actors/actor_counters.hpp"

namespace troupe {

/// Observer of the messages that actors take from their mailboxes; called before the actor acts, on
/// the actor's thread.
class listener {
 public:
  virtual ~listener() = default;
  virtual void heard(const actor_counters& by, caf::mailbox_element& message) = 0;
};

}  // namespace troupe
