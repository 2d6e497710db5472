// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace troupe::shell {

/// Part of an input: bytes from `begin` up to `end`.
struct text_span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Returns the part from the beginning of `a` to the end of `b`.
constexpr text_span joined(text_span a, text_span b) noexcept { return {a.begin, b.end}; }

}  // namespace troupe::shell
