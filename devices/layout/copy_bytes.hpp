// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace troupe {

/// Copies bytes to other memory, as std::memcpy does, and about as quickly wherever the two lie:
/// some CPUs take 20 times as long for it if one begins a few bytes behind the other, pages aside,
/// as part of an array and its copy do.
void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept;

}  // namespace troupe
