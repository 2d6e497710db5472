// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace troupe {

/// Heap of tasks that one lane alone may run: which of them, at the time when it was noted, was the
/// first of its lane.
class lane_turns {
 public:
  struct turn {
    std::uint64_t rank;
    int lane;
  };

  bool empty() const noexcept { return all_.empty(); }
  void push(std::uint64_t rank, int lane) {
    all_.push_back({rank, lane});
    if (all_.size() > 1) std::ranges::push_heap(all_, later);
  }
  /// Returns the one with the lowest rank.
  const turn& first() const noexcept { return all_.front(); }
  void pop() noexcept {
    if (all_.size() > 1) std::ranges::pop_heap(all_, later);
    all_.pop_back();
  }

 private:
  static bool later(const turn& a, const turn& b) noexcept { return a.rank > b.rank; }

  std::vector<turn> all_;
};

}  // namespace troupe
