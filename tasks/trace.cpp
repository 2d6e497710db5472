// SPDX-License-Identifier: MIT
#include "troupe/tasks/trace.hpp"

namespace troupe {

void trace_ring::copy_to(std::vector<task_event>& out, ticks since) const {
  const auto oldest = events_.size() < capacity_ ? 0 : next_;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const auto& e = events_[(oldest + i) % events_.size()];
    if (e.started >= since) out.push_back(e);
  }
}

}  // namespace troupe
