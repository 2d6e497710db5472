// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace troupe {

/// Place for what stays inside a task, used again once nothing needs it any more.
class scratch_plan {
 public:
  /// Returns how many bytes into the scratch so many are free, 64-byte aligned.
  std::size_t take(std::size_t bytes) {
    const auto wanted = rounded(bytes);
    for (auto& one : holes_) {
      if (one.bytes < wanted) continue;
      const auto at = one.at;
      one = {at + wanted, one.bytes - wanted};
      return at;
    }
    return std::exchange(end_, end_ + wanted);
  }
  void give_back(std::size_t at, std::size_t bytes) { holes_.push_back({at, rounded(bytes)}); }
  std::size_t bytes() const noexcept { return end_; }

 private:
  static constexpr std::size_t alignment = 64;

  struct hole {
    std::size_t at, bytes;
  };

  static std::size_t rounded(std::size_t bytes) noexcept {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  std::vector<hole> holes_;
  std::size_t end_ = 0;
};

}  // namespace troupe
