// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "troupe/actors/lane_set.hpp"

namespace troupe {

/// Tournament of lanes: finds the lane with the lowest key. A new key costs nothing until the
/// winner is asked for, and then time that grows with the logarithm of the number of lanes.
template <class Key>
class lane_ranking {
 public:
  /// The key of a lane that takes no part.
  static constexpr Key none = std::numeric_limits<Key>::max();

  explicit lane_ranking(std::size_t lanes)
      : keys_(std::bit_ceil(lanes), none), winners_(keys_.size()), in_(lanes), changed_(lanes) {
    for (auto i = keys_.size() - 1; i > 0; --i) winners_[i] = winner(2 * i);
  }

  void set(int lane, Key key) noexcept {
    auto& mine = keys_[static_cast<std::size_t>(lane)];
    if (mine == key) return;
    if (mine == none) in_.insert(lane);
    else if (key == none) in_.erase(lane);
    mine = key;
    changed_.insert(lane);
  }
  Key key(int lane) const noexcept { return keys_[static_cast<std::size_t>(lane)]; }
  /// Returns the lane with the lowest key; of several, the one with the lowest number; -1 if no
  /// lane takes part.
  int first() noexcept {
    const int one = in_.first();
    if (one < 0 || in_.first(one + 1) < 0) return one;
    changed_.take_each([this](int lane) { play(static_cast<std::uint16_t>(lane)); });
    return winners_[1];
  }

 private:
  /// Repeats the matches of a lane.
  void play(std::uint16_t lane) noexcept {
    for (auto i = (keys_.size() + lane) / 2; i > 0; i /= 2) {
      const auto now = winner(2 * i);
      // The matches above are those of another lane, whose key is the same.
      if (winners_[i] == now && now != lane) return;
      winners_[i] = now;
    }
  }
  /// Returns the winner of the pair of entries that begins with `i`: leaves follow the matches.
  std::uint16_t winner(std::size_t i) const noexcept {
    const auto n = keys_.size();
    const auto left = i < n ? winners_[i] : static_cast<std::uint16_t>(i - n);
    const auto right = i < n ? winners_[i + 1] : static_cast<std::uint16_t>(i + 1 - n);
    return keys_[right] < keys_[left] ? right : left;
  }

  std::vector<Key> keys_;
  std::vector<std::uint16_t> winners_;  ///< entry 1 is the final
  lane_set in_;                         ///< lanes that take part
  lane_set changed_;                    ///< lanes whose matches are out of date
};

}  // namespace troupe
