// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "troupe/devices/cuda/recent_pieces.hpp"
#include "troupe/devices/memory.hpp"

namespace troupe {

/// Source of a pool's memory: a GPU's driver, or a substitute in tests. Thread-safe.
class memory_source {
 public:
  virtual ~memory_source() = default;
  /// Returns null if there is no memory.
  virtual void* allocate(std::size_t bytes) noexcept = 0;
  virtual void release(void* data) noexcept = 0;
};

/// Pool of memory that the host cannot reach, such as a GPU's. Freed memory is kept for reuse,
/// since a request to the driver waits for all work of the GPU. The source lends segments of whole
/// mebibytes; pieces are cut from the smallest free piece that is large enough, and joined with
/// free neighbours again. When the source has no more, all free segments are returned to it, and it
/// is asked again. Small pieces that were freed last are lent again as they are.
///
/// The host frees a piece only when the device has finished with it, so the piece may be reused at
/// once, on any stream. Freeing never waits for the source, even if another thread does.
class segment_pool final : public memory {
 public:
  /// Creates a pool that takes at most `limit` bytes of the source.
  segment_pool(std::unique_ptr<memory_source> source, std::size_t limit)
      : source_(std::move(source)), limit_(limit) {}
  ~segment_pool() override { trim(); }

  void* allocate(std::size_t bytes) override;
  void deallocate(void* data, std::size_t bytes) noexcept override;
  std::size_t live() const noexcept override { return live_.load(); }
  memory_statistics statistics() const override;
  void trim() noexcept override;

 private:
  using free_pieces = std::set<std::pair<std::size_t, std::byte*>>;  // by size, then address
  struct piece {
    std::size_t bytes;
    bool begins_segment;
    /// Entry among the free pieces, kept here while the piece is lent.
    free_pieces::node_type entry;

    bool free() const noexcept { return entry.empty(); }
  };
  class source_call;
  using pieces = std::map<std::byte*, piece>;  // by address, so that neighbours are adjacent

  pieces::iterator smallest_free(std::size_t bytes);
  pieces::iterator new_segment(std::size_t bytes, std::unique_lock<std::mutex>& lock);
  void lend(pieces::iterator one, std::size_t bytes);
  void set_free(pieces::iterator one);
  void join_with_next(pieces::iterator one);
  bool is_segment(pieces::iterator one) const;
  bool join_recent() noexcept;
  void release_free_segments(std::unique_lock<std::mutex>& lock) noexcept;
  void* lent(std::byte* data, std::size_t bytes) noexcept;

  std::unique_ptr<memory_source> source_;
  const std::size_t limit_;
  std::atomic<std::size_t> live_ = 0;
  mutable std::mutex mutex_;
  std::size_t peak_ = 0;
  std::size_t taken_ = 0;  ///< bytes taken from the source, or asked of it
  int calls_ = 0;          ///< calls of the source under way
  std::uint64_t calls_ended_ = 0;
  std::condition_variable call_ended_;
  pieces pieces_;
  free_pieces free_;
  recent_pieces recent_;  ///< free, but lent as far as `pieces_` knows
};

}  // namespace troupe
