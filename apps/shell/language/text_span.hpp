// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace troupe::shell {

/// A part of an input: bytes from `begin` up to `end`.
struct text_span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// What lies from the beginning of one to the end of the other.
constexpr text_span joined(text_span a, text_span b) noexcept { return {a.begin, b.end}; }

}  // namespace troupe::shell
