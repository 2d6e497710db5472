// SPDX-License-Identifier: MIT
#include "troupe/tasks/forks.hpp"

#include <pthread.h>

namespace troupe {

void forks::follow() {
  [[maybe_unused]] static const int once =
      pthread_atfork(nullptr, nullptr, [] { count_.fetch_add(1, std::memory_order_relaxed); });
}

}  // namespace troupe
