// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace troupe {

/// Set of small numbers that threads add to and remove from. Looking for a member costs the same
/// for 2 and for 64 possible ones.
class slot_set {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  /// Makes room for numbers below `count`; before threads use the set.
  void reserve(std::size_t count) {
    while (words_.size() * 64 < count) words_.emplace_back(0);
  }
  void add(std::size_t i) noexcept {
    if ((words_[i / 64].fetch_or(bit(i)) & bit(i)) == 0) count_.fetch_add(1);
  }
  void remove(std::size_t i) noexcept {
    if (words_[i / 64].fetch_and(~bit(i)) & bit(i)) count_.fetch_sub(1);
  }
  /// Returns about how many are in the set; exact when no thread is changing it.
  int size() const noexcept { return count_.load(); }
  /// Returns a member, the first from `start` on if there is one, or `none`.
  std::size_t find(std::size_t start = 0) const noexcept {
    if (const auto i = find_in(start / 64, words_.size(), ~std::uint64_t{0} << start % 64);
        i != none)
      return i;
    return start == 0 ? none : find_in(0, start / 64 + 1, ~std::uint64_t{0});
  }

 private:
  static std::uint64_t bit(std::size_t i) noexcept { return std::uint64_t{1} << i % 64; }
  std::size_t find_in(std::size_t word, std::size_t end, std::uint64_t mask) const noexcept {
    for (; word < end; ++word, mask = ~std::uint64_t{0}) {
      if (const auto bits = words_[word].load() & mask)
        return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    }
    return none;
  }

  std::deque<std::atomic<std::uint64_t>> words_;
  std::atomic<int> count_ = 0;
};

}  // namespace troupe
