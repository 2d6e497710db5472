// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/philox.hpp"

namespace troupe {

/// Generator of random numbers for code outside tensor operations: the same key and stream give the
/// same numbers on any thread. Meets the generator requirements of <random>, whose distributions
/// differ between standard libraries; `below` and `uniform` do not.
class random_bits {
 public:
  using result_type = std::uint64_t;

  explicit random_bits(std::uint64_t key, std::uint64_t stream = 0) noexcept
      : key_(pair(philox::generate(key, stream), 0)) {}

  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return UINT64_MAX; }
  result_type operator()() noexcept {
    const auto n = drawn_++;
    if (n % 2 == 0) words_ = philox::generate(key_, n / 2);
    return pair(words_, n % 2 == 0 ? 0 : 2);
  }

  /// Returns an integer in [0, n), for n > 0.
  std::int64_t below(std::int64_t n) noexcept {
    const auto bits = (*this)();
    return static_cast<std::int64_t>(philox::below(static_cast<std::uint64_t>(n),
                                                   static_cast<std::uint32_t>(bits >> 32),
                                                   static_cast<std::uint32_t>(bits)));
  }
  /// Returns a number in [low, high).
  double uniform(double low = 0, double high = 1) noexcept {
    const auto bits = (*this)();
    return low + (high - low) * philox::unit_double(static_cast<std::uint32_t>(bits >> 32),
                                                    static_cast<std::uint32_t>(bits));
  }

 private:
  static std::uint64_t pair(const philox::words& w, int first) noexcept {
    return std::uint64_t{w.numbers[first]} << 32 | w.numbers[first + 1];
  }

  std::uint64_t key_;
  std::uint64_t drawn_ = 0;
  philox::words words_{};
};

}  // namespace troupe
