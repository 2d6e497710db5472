// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace troupe::testing {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

}  // namespace troupe::testing
