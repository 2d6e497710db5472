// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace troupe::testing {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool looks_for_races = true;
#else
inline constexpr bool looks_for_races = false;
#endif
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = looks_for_races;
#endif

/// Returns how many cases to try where `usual` would do: fewer with a sanitizer, which makes each
/// take many times as long.
constexpr int cases(int usual) { return sanitized ? usual / 4 : usual; }

/// Returns the same for cases that take little, but are thousands; and of which each is a single
/// thread's, in which there are no races to look for.
constexpr std::uint64_t cases_of_one_thread(std::uint64_t usual) {
  return looks_for_races ? usual / 50 : sanitized ? usual / 10 : usual;
}

}  // namespace troupe::testing
