// SPDX-License-Identifier: MIT
#include "troupe/tasks/forks.hpp"

#include <pthread.h>

namespace troupe {

constinit std::atomic<std::uint32_t> forks::count_ = 0;

// While the process has one thread: what registers later waits for forks under way.
const int forks::followed_ =
    pthread_atfork(nullptr, nullptr, [] { count_.fetch_add(1, std::memory_order_relaxed); });

}  // namespace troupe
