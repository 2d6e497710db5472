// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace troupe {

/// Functions applied to large blocks of the host's memory when they come from the system, and
/// before they go back to it.
struct page_lock {
  void (*lock)(void* data, std::size_t bytes) noexcept = nullptr;
  void (*unlock)(void* data) noexcept = nullptr;
};

}  // namespace troupe
