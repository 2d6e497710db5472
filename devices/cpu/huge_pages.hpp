// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>

namespace troupe {

/// Blocks of memory side by side in huge pages. Small pages lie wherever the machine has room, and
/// some parts of a cache get more of them than fit: arrays that the cache has room for take up to a
/// quarter longer to read then, by luck. Thread-safe.
class huge_pages {
 public:
  /// On a NUMA node, unless it is negative.
  explicit huge_pages(int node) noexcept : node_(node) {}

  /// Returns a block of less than a mebibyte, 64-byte aligned; null if there is no memory.
  void* take(std::size_t bytes) noexcept;
  /// Takes a block back. Its memory goes to the system at once, and its addresses when no block of
  /// its page is left.
  void give_back(void* block, std::size_t bytes) noexcept;

 private:
  struct page;

  const int node_;
  std::mutex mutex_;
  page* open_ = nullptr;  ///< has room behind its blocks
};

}  // namespace troupe
