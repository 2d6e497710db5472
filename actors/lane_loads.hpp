// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

/// Lanes by the work that they have, rounded down to a quarter of a power of two: finding one that
/// has little takes the same time for any number of lanes.
class lane_loads {
 public:
  using level = std::uint8_t;
  static constexpr level most = 63;

  /// Constructs the loads of lanes without work.
  explicit lane_loads(std::size_t lanes) : words_((lanes + 63) / 64), lanes_(words_ * (most + 1)) {
    for (std::size_t i = 0; i < lanes; ++i) lanes_[i / 64] |= bit(i);
  }

  /// Returns 0 for less than half a microsecond of work, and the highest level for 28 milliseconds
  /// or more.
  static constexpr level level_of(double nanoseconds) noexcept {
    constexpr auto least = static_cast<int>(std::bit_cast<std::uint64_t>(512.0) >> 50);
    const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(nanoseconds) >> 50);
    return static_cast<level>(std::clamp(exponent - least + 1, 0, static_cast<int>(most)));
  }
  /// Returns true if no level has both less and more work than this.
  static constexpr bool separates(double nanoseconds) noexcept {
    return level_of(nanoseconds) == level_of(nanoseconds - 1) + 1;
  }

  void move(int lane, level from, level to) noexcept {
    if (from == to) return;
    const auto i = static_cast<std::size_t>(lane);
    auto* words = &lanes_[from * words_];
    words[i / 64] &= ~bit(i);
    if (std::all_of(words, words + words_, [](auto w) { return w == 0; }))
      used_ &= ~(std::uint64_t{1} << from);
    lanes_[to * words_ + i / 64] |= bit(i);
    used_ |= std::uint64_t{1} << to;
  }
  /// Returns a lane that has the least work.
  int least() const noexcept {
    const auto* word = &lanes_[static_cast<std::size_t>(std::countr_zero(used_)) * words_];
    int first = 0;
    for (; *word == 0; ++word) first += 64;
    return first + std::countr_zero(*word);
  }

 private:
  static std::uint64_t bit(std::size_t lane) noexcept { return std::uint64_t{1} << lane % 64; }

  std::size_t words_;                 ///< for a bit per lane
  std::vector<std::uint64_t> lanes_;  ///< bit sets of lanes, by level
  std::uint64_t used_ = 1;            ///< bit set of the levels that have lanes
};

}  // namespace troupe
