// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace troupe {

/// Set of lanes of one device, a bit for each.
class lane_set {
 public:
  explicit lane_set(std::size_t lanes) : words_((lanes + 63) / 64) {}

  bool contains(int lane) const noexcept { return words_[word(lane)] & bit(lane); }
  void insert(int lane) noexcept { words_[word(lane)] |= bit(lane); }
  void erase(int lane) noexcept { words_[word(lane)] &= ~bit(lane); }
  void set(int lane, bool in) noexcept { in ? insert(lane) : erase(lane); }
  void flip(int lane) noexcept { words_[word(lane)] ^= bit(lane); }
  bool empty() const noexcept {
    return std::all_of(words_.begin(), words_.end(), [](auto w) { return w == 0; });
  }
  /// Returns the lowest lane from `from` on, or -1.
  int first(int from = 0) const noexcept {
    auto i = word(from);
    if (i >= words_.size()) return -1;
    for (auto w = words_[i] & (~std::uint64_t{0} << (from % 64));; w = words_[i]) {
      if (w) return static_cast<int>(64 * i) + std::countr_zero(w);
      if (++i == words_.size()) return -1;
    }
  }
  /// Calls `f` for each lane that is not in `others`, lowest first; neither set may change.
  template <class F>
  void for_each_not_in(const lane_set& others, F&& f) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (auto w = words_[i] & ~others.words_[i]; w; w &= w - 1)
        f(static_cast<int>(64 * i) + std::countr_zero(w));
    }
  }
  /// Calls `f` for each lane, lowest first, and leaves the set empty.
  template <class F>
  void take_each(F&& f) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (auto w = std::exchange(words_[i], 0); w; w &= w - 1)
        f(static_cast<int>(64 * i) + std::countr_zero(w));
    }
  }

 private:
  static std::size_t word(int lane) noexcept { return static_cast<std::size_t>(lane) / 64; }
  static std::uint64_t bit(int lane) noexcept { return std::uint64_t{1} << (lane % 64); }

  std::vector<std::uint64_t> words_;
};

}  // namespace troupe
