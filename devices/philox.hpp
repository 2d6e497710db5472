// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#ifndef TROUPE_HOST_DEVICE
#ifdef __CUDACC__
#define TROUPE_HOST_DEVICE static __host__ __device__ __forceinline__
#else
#define TROUPE_HOST_DEVICE [[maybe_unused]] static inline
#endif
#endif

/// Random numbers without state: Philox4x32-10 of Salmon et al., "Parallel random numbers: as easy
/// as 1, 2, 3" (2011). A key and a counter give four words, or blocks of four for elements that
/// need many. Written for the CPU and for CUDA.

namespace troupe::philox {

struct words {
  std::uint32_t numbers[4];
};

/// The four random words that belong to `counter`, or those of a later block of it.
TROUPE_HOST_DEVICE words generate(std::uint64_t key, std::uint64_t counter,
                                  std::uint32_t block = 0) noexcept {
  auto key0 = static_cast<std::uint32_t>(key), key1 = static_cast<std::uint32_t>(key >> 32);
  auto a = static_cast<std::uint32_t>(counter), b = static_cast<std::uint32_t>(counter >> 32);
  std::uint32_t c = block, d = 0;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t left = std::uint64_t{0xD2511F53} * a;
    const std::uint64_t right = std::uint64_t{0xCD9E8D57} * c;
    a = static_cast<std::uint32_t>(right >> 32) ^ b ^ key0;
    b = static_cast<std::uint32_t>(right);
    c = static_cast<std::uint32_t>(left >> 32) ^ d ^ key1;
    d = static_cast<std::uint32_t>(left);
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return {{a, b, c, d}};
}

// The words that make an element. Elements come in groups, each made from 16 neighbouring counters:
// the first 16 elements from the first words (or pairs of words) of the 16 counters, the next 16
// from the next ones, and so on, so that vectors and warps write side by side. float32 takes a word
// an element, float64 and integers two.

inline constexpr std::uint64_t lanes = 16;

/// Elements in a group, by the words that one takes: 64 or 32.
TROUPE_HOST_DEVICE constexpr std::uint64_t group(int words_per_element) noexcept {
  return lanes * 4 / static_cast<std::uint64_t>(words_per_element);
}

/// The number of counters that elements use up. Two words an element are reckoned with, whatever
/// the dtype.
TROUPE_HOST_DEVICE constexpr std::uint64_t counters(std::uint64_t elements) noexcept {
  return (elements + group(2) - 1) / group(2) * lanes;
}

/// In [0, 1), a multiple of 2^-24.
TROUPE_HOST_DEVICE float unit_float(std::uint32_t word) noexcept {
  return static_cast<float>(static_cast<std::int32_t>(word >> 8)) * 0x1p-24f;
}

/// In [0, 1), a multiple of 2^-53.
TROUPE_HOST_DEVICE double unit_double(std::uint32_t high, std::uint32_t low) noexcept {
  return (static_cast<double>(static_cast<std::int32_t>(high >> 5)) * 0x1p26 +
          static_cast<double>(static_cast<std::int32_t>(low >> 6))) *
         0x1p-53;
}

/// In (0, 1], fine near 0: what the logarithm of Box and Muller wants.
TROUPE_HOST_DEVICE float open_float(std::uint32_t word) noexcept {
  return (static_cast<float>(static_cast<std::int32_t>(word >> 1)) + 0.5f) * 0x1p-31f;
}

TROUPE_HOST_DEVICE double open_double(std::uint32_t high, std::uint32_t low) noexcept {
  return unit_double(high, low) + 0x1p-54;
}

/// In [0, range), from 64 random bits by multiplication: the bias is at most range / 2^64.
TROUPE_HOST_DEVICE std::uint64_t below(std::uint64_t range, std::uint32_t high,
                                       std::uint32_t low) noexcept {
  const std::uint64_t range_low = range & 0xFFFFFFFF, range_high = range >> 32;
  const std::uint64_t middle = high * range_low + ((low * range_low) >> 32);
  const std::uint64_t other = low * range_high + (middle & 0xFFFFFFFF);
  return high * range_high + (middle >> 32) + (other >> 32);
}

}  // namespace troupe::philox
