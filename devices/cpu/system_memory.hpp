// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// The host's memory, as it comes from the system.
namespace troupe::system_memory {

inline constexpr std::size_t alignment = 64;  ///< of every block
inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Returns memory, to be given back with `std::free`; null if there is none. Blocks of two huge
/// pages and more consist of such, those of a mebibyte and more of pages.
void* take(std::size_t bytes) noexcept;
/// Returns a huge page, if the system has one to give, or its bytes in small ones.
void* take_huge_page() noexcept;
/// Gives the pages within a block back; its addresses stay, and the bytes are lost.
void forget(void* data, std::size_t bytes) noexcept;
/// Asks for the pages of untouched memory to be on a NUMA node as long as that has room; if it is
/// negative, on that of the thread which touches them. Where the system refuses, the latter holds.
void place(void* data, std::size_t bytes, int node) noexcept;

}  // namespace troupe::system_memory
