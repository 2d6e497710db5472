// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

namespace troupe {

/// Small pieces of a pool's memory that were freed last, by size. Most are wanted again at once;
/// joining them with their neighbours, to find and cut them again, takes longer.
class recent_pieces {
 public:
  static constexpr std::size_t unit = 256;  ///< sizes are multiples of this

  /// Returns a piece of exactly this size; null if there is none.
  std::byte* take(std::size_t bytes) noexcept {
    auto* const s = stack_for(bytes);
    if (!s || s->count == 0) return nullptr;
    bytes_ -= bytes;
    return s->pieces[--s->count];
  }
  /// Returns false if the piece is not kept.
  bool keep(std::byte* piece, std::size_t bytes) noexcept {
    auto* const s = stack_for(bytes);
    if (!s || s->count == s->pieces.size() || bytes_ + bytes > most_bytes) return false;
    s->pieces[s->count++] = piece;
    bytes_ += bytes;
    return true;
  }
  /// Calls f with each piece and keeps none. Returns false if there were none.
  template <class F>
  bool give_back(const F& f) noexcept {
    const bool some = bytes_ > 0;
    for (auto& s : stacks_) {
      while (s.count != 0) f(s.pieces[--s.count]);
    }
    bytes_ = 0;
    return some;
  }

 private:
  struct stack {
    std::array<std::byte*, 64> pieces;
    std::size_t count = 0;
  };
  static constexpr std::size_t sizes = 64, most_bytes = std::size_t{1} << 20;

  stack* stack_for(std::size_t bytes) noexcept {
    const auto size = bytes / unit;
    return size <= sizes ? &stacks_[size - 1] : nullptr;
  }

  std::array<stack, sizes> stacks_;
  std::size_t bytes_ = 0;
};

}  // namespace troupe
