// SPDX-License-Identifier: MIT
#pragma once

namespace troupe::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Returns how many cases to try where `usual` would do: fewer with a sanitizer, which makes each
/// take many times as long.
constexpr int cases(int usual) { return sanitized ? usual / 4 : usual; }

}  // namespace troupe::testing
