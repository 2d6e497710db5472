// SPDX-License-Identifier: MIT
#pragma once

#include <thread>

#include <caf/scheduled_actor.hpp>

#include "troupe/tasks/clock.hpp"

namespace troupe {

/// A moment's pause of a thread that looks on; now and then it lets others run.
inline void spin_pause(unsigned& spins) noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
  if (++spins % 64 == 0) std::this_thread::yield();
}

/// Looks on until there is another message for `self`, at most so long.
inline void spin_for_message(caf::scheduled_actor& self, ticks spin_time) {
  const auto start = now();
  for (unsigned spins = 0; self.mailbox().empty() && now() - start < spin_time;) spin_pause(spins);
}

}  // namespace troupe
