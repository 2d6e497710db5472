// SPDX-License-Identifier: MIT
#pragma once

#include <thread>

#include <caf/scheduled_actor.hpp>

#include "troupe/tasks/clock.hpp"

namespace troupe {

/// Pauses a spinning thread for a moment; yields now and then.
inline void spin_pause(unsigned& spins) noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
  if (++spins % 64 == 0) std::this_thread::yield();
}

/// Spins until there is another message for `self`, at most for `spin_time`.
inline void spin_for_message(caf::scheduled_actor& self, ticks spin_time) {
  const auto start = now();
  for (unsigned spins = 0; self.mailbox().empty() && now() - start < spin_time;) spin_pause(spins);
}

}  // namespace troupe
