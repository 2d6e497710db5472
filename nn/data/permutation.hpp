// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace troupe::nn::detail {

/// Shuffle of the numbers from 0 to n - 1 that takes no memory: `p(i)` is the number at position i.
/// The same n, key and stream give the same shuffle. A Feistel network over a grid of just more
/// than n cells, with cycle walking (Black and Rogaway, "Ciphers with arbitrary finite domains",
/// 2002).
class permutation {
 public:
  permutation(std::int64_t n, std::uint64_t key, std::uint64_t stream) noexcept;

  /// Returns the number at position i, for i from 0 to n - 1.
  std::int64_t operator()(std::int64_t i) const noexcept;

 private:
  std::uint64_t once(std::uint64_t cell) const noexcept;

  std::uint64_t n_, rows_, columns_;
  std::array<std::uint64_t, 14> keys_;
};

}  // namespace troupe::nn::detail
