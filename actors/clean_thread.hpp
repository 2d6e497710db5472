// SPDX-License-Identifier: MIT
#pragma once

#include <caf/logger.hpp>

namespace troupe {

/// Leaves nothing of CAF in the calling thread, neither of ours nor of a user's code that it ran.
/// CAF keeps a reference to an actor system's logger for each thread: the system waits for it when
/// it ends, and the main thread's is gone before objects in static storage are.
inline void clean_thread() noexcept { caf::logger::set_current_actor_system(nullptr); }

/// Scope at whose end this is done.
struct clean_thread_scope {
  clean_thread_scope() = default;
  clean_thread_scope(const clean_thread_scope&) = delete;
  clean_thread_scope& operator=(const clean_thread_scope&) = delete;
  ~clean_thread_scope() { clean_thread(); }
};

}  // namespace troupe
