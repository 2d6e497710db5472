// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/array.hpp"
#include "troupe/devices/cuda/grid.hpp"

namespace troupe::cuda {

/// Fills a contiguous array with a word in which a value is repeated, one word per thread, for any
/// element size.
class fill_memory {
 public:
  fill_memory(const array& to, std::uint64_t word) noexcept
      : skip_(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to.data) % size)),
        end_(skip_ + to.size() * static_cast<std::int64_t>(size_of(to.type))),
        first_(to.as<std::uint8_t>() - skip_),
        word_(word) {}

  std::int64_t words() const noexcept { return end_ == skip_ ? 0 : (end_ + size - 1) / size; }

  TROUPE_BOTH void operator()(std::int64_t i) const {
    const auto begin = i * size;
    if (begin >= skip_ && begin + size <= end_) {
      reinterpret_cast<std::uint64_t*>(first_)[i] = word_;
      return;
    }
    for (int k = 0; k < size; ++k) {
      if (begin + k >= skip_ && begin + k < end_)
        first_[begin + k] = static_cast<std::uint8_t>(word_ >> (8 * k));
    }
  }

 private:
  static constexpr int size = sizeof(std::uint64_t);

  std::int64_t skip_, end_;  // in bytes from the start of the first word
  std::uint8_t* first_;
  std::uint64_t word_;
};

inline void fill(stream& on, const array& to, std::uint64_t word) {
  const fill_memory f(to, word);
  for_each(on, f.words(), f);
}

}  // namespace troupe::cuda
