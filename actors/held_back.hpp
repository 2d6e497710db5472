// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace troupe {

/// Tasks or values that are held back, in program order. Some of them go when there is room.
template <class T>
class held_back {
 public:
  std::size_t size() const noexcept { return all_.size(); }
  bool empty() const noexcept { return all_.empty(); }
  auto begin() const noexcept { return all_.begin(); }
  auto end() const noexcept { return all_.end(); }
  /// Returns the first one, or null.
  T* first() const noexcept { return all_.empty() ? nullptr : all_.begin()->second; }
  /// Returns the first of those that go when there is room, or null.
  T* first_for_room() const noexcept {
    return for_room_.empty() ? nullptr : find(*for_room_.begin());
  }
  /// Returns the one with this sequence number, or null.
  T* find(std::uint64_t sequence) const noexcept {
    const auto one = all_.find(sequence);
    return one == all_.end() ? nullptr : one->second;
  }
  /// Adds one, or changes whether it goes when there is room.
  void put(T& one, bool for_room) {
    all_.try_emplace(one.sequence, &one);
    if (for_room) for_room_.insert(one.sequence);
    else for_room_.erase(one.sequence);
  }
  void erase(const T& one) {
    all_.erase(one.sequence);
    for_room_.erase(one.sequence);
  }

 private:
  std::map<std::uint64_t, T*> all_;
  std::set<std::uint64_t> for_room_;
};

}  // namespace troupe
