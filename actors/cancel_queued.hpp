// SPDX-License-Identifier: MIT
#pragma once

#include <ranges>
#include <span>
#include <unordered_set>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Fails the tasks of a queue that are to be cancelled, and those before them that nothing but
/// these needs. Throws std::bad_alloc, before it has failed any or between two.
template <class ToBeCancelled>
void fail_cancelled(std::span<task* const> queue, ToBeCancelled&& to_be_cancelled) {
  std::unordered_set<const task*> read_by_cancelled;
  for (auto* t : std::views::reverse(queue)) {
    if (!to_be_cancelled(*t) && !(read_by_cancelled.contains(t) && t->unneeded())) continue;
    for (const auto& in : t->inputs) {
      if (in.source && in.source->pending()) read_by_cancelled.insert(in.source->producer);
    }
    t->fail("cancelled", failure::reason::cancelled);
  }
}

}  // namespace troupe
