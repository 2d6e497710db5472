// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "troupe/devices/fork_lock.hpp"

namespace troupe {

/// Blocks of memory side by side in huge pages. Small pages lie wherever the machine has room, and
/// some parts of a cache get more of them than fit: arrays that the cache has room for take up to a
/// quarter longer to read then, by luck. Thread-safe.
class huge_pages {
 public:
  /// On a NUMA node, unless it is negative.
  explicit huge_pages(int node) noexcept : node_(node) {}
  huge_pages(const huge_pages&) = delete;
  huge_pages& operator=(const huge_pages&) = delete;
  ~huge_pages() { trim(); }

  /// Returns a block of less than a mebibyte, 64-byte aligned; null if there is no memory.
  void* take(std::size_t bytes) noexcept;
  /// Takes a block back. Its memory goes to the system at once, and its addresses when no block of
  /// its page is left; but the page from which blocks are taken stays.
  void give_back(void* block, std::size_t bytes) noexcept;
  /// Gives that page to the system, too, if no block of it is left.
  void trim() noexcept;

 private:
  struct page;

  void end(page& one) noexcept;

  const int node_;
  fork_lock mutex_;
  page* open_ = nullptr;  ///< has room behind its blocks
};

}  // namespace troupe
