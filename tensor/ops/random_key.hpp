// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <source_location>
#include <vector>

namespace troupe {

/// Key of random numbers: what is drawn with it depends on the key, the shape, the dtype and the
/// parameters alone, not on what was drawn before, on the device or on the runtime's seed. Two
/// draws of a function with one key are equal; keys that were split give independent numbers:
///
///     const auto keys = random_key(7).split(2);
///     tensor w = normal({3, 2}, 0, 1, {.key = keys[0]}), b = normal({2}, 0, 1, {.key = keys[1]});
class random_key {
 public:
  explicit constexpr random_key(std::uint64_t seed) noexcept : seed_(seed) {}

  /// Returns so many other keys. The first ones do not depend on how many there are. Throws for a
  /// negative number.
  std::vector<random_key> split(std::int64_t count = 2,
                                std::source_location where = std::source_location::current()) const;
  /// Returns the seed that gives this key.
  constexpr std::uint64_t seed() const noexcept { return seed_; }

  bool operator==(const random_key&) const = default;

 private:
  friend class numbers_of_key;

  random_key child(std::uint64_t number) const noexcept;

  std::uint64_t seed_;
};

}  // namespace troupe
