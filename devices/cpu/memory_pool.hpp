// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <vector>

#include "troupe/devices/cpu/huge_pages.hpp"
#include "troupe/devices/fork_lock.hpp"
#include "troupe/devices/memory.hpp"

namespace troupe {

/// Host memory that keeps freed buffers for reuse: fresh pages from the system cost ten times what
/// using them costs. Sizes are rounded up to one of four steps between powers of two; each step has
/// its list. At most `cache_limit` bytes are kept; what is more goes back to the system at once.
/// More than `capacity` is never lent: the system would promise more than there is, and end the
/// process that uses it. Blocks of 16 KiB and more are on the pool's NUMA node, if it has one and
/// there is room, and those of a mebibyte and more go through a page lock, if there is one. Smaller
/// ones are on the node of the thread that first writes to them.
class memory_pool final : public memory {
 public:
  static constexpr int no_node = -1;

  explicit memory_pool(std::size_t cache_limit,
                       std::size_t capacity = std::numeric_limits<std::size_t>::max(),
                       page_lock lock = {}, int node = no_node)
      : cache_limit_(cache_limit),
        capacity_(capacity),
        lock_(lock),
        node_(node),
        side_by_side_(node) {}
  ~memory_pool() override { free_cached(); }

  void* allocate(std::size_t bytes) override;
  void deallocate(void* data, std::size_t bytes) noexcept override;
  std::size_t live() const noexcept override { return live_.load(); }
  memory_statistics statistics() const override;
  void trim() noexcept override;
  void adopt(std::size_t bytes) noexcept override { count(bytes); }
  void disown(std::size_t bytes) noexcept override;

 private:
  static constexpr int steps_ = 4 * 48;
  struct size_class {
    int index;
    std::size_t bytes;
  };
  static size_class class_of(std::size_t bytes) noexcept;
  static std::size_t bytes_of(int index) noexcept;
  void count(std::size_t bytes) noexcept;
  void free_cached() noexcept;
  void* take_from_system(size_class size) noexcept;
  void give_to_system(void* data, int index) noexcept;

  struct block;  // a freed buffer, linked through its own first bytes
  const std::size_t cache_limit_, capacity_;
  const page_lock lock_;
  const int node_;
  std::atomic<std::size_t> live_ = 0;
  std::atomic<std::size_t> peak_ = 0;
  mutable fork_lock mutex_;
  std::size_t cached_ = 0;
  std::array<block*, steps_> free_{};
  huge_pages side_by_side_;  ///< blocks of 16 KiB and more, but less than a mebibyte
};

}  // namespace troupe
