// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

namespace troupe {

/// The use of a device's memory, in bytes.
struct memory_statistics {
  std::size_t live = 0;    ///< in buffers that somebody holds
  std::size_t peak = 0;    ///< the most that was ever live
  std::size_t cached = 0;  ///< freed, and kept for reuse
};

/// Is told that memory was freed, by the thread that freed it.
class memory_listener {
 public:
  virtual ~memory_listener() = default;
  virtual void freed() noexcept = 0;
};

/// A device's memory. Thread-safe. Outlives the runtime for as long as a buffer of it is held.
class memory {
 public:
  virtual ~memory() = default;

  /// At least `bytes` bytes, aligned to 64. Throws std::bad_alloc.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* data, std::size_t bytes) noexcept = 0;
  /// Bytes in buffers that somebody holds.
  virtual std::size_t live() const noexcept = 0;
  virtual memory_statistics statistics() const = 0;
  /// Gives cached memory back to the system.
  virtual void trim() noexcept = 0;
  /// Counts memory that the program owns as live, until `disown`.
  virtual void adopt(std::size_t /*bytes*/) noexcept {}
  virtual void disown(std::size_t /*bytes*/) noexcept {}

  /// Asks for one call of the listener when the next buffer is freed: somebody waits for memory.
  void notify_when_freed() noexcept { wanted_.store(true, std::memory_order_seq_cst); }
  /// Sets the listener, or none.
  void set_listener(std::shared_ptr<memory_listener> listener) {
    std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
  }

  /// To be called when something was freed and is counted as free.
  void freed() noexcept {
    if (wanted_.load(std::memory_order_seq_cst)) tell();
  }

 private:
  void tell() noexcept {
    if (!wanted_.exchange(false)) return;
    std::lock_guard lock(mutex_);
    if (listener_) listener_->freed();
  }

  std::atomic<bool> wanted_ = false;
  std::mutex mutex_;
  std::shared_ptr<memory_listener> listener_;
};

/// Owns a piece of a device's memory.
class buffer {
 public:
  buffer() noexcept = default;
  /// Throws std::bad_alloc.
  buffer(const std::shared_ptr<memory>& home, std::size_t bytes)
      : home_(home), data_(home->allocate(bytes)), bytes_(bytes) {}
  /// Takes over memory that `home` is to deallocate.
  buffer(std::shared_ptr<memory> home, void* data, std::size_t bytes) noexcept
      : home_(std::move(home)), data_(data), bytes_(bytes) {}
  buffer(buffer&& other) noexcept
      : home_(std::move(other.home_)),
        data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  buffer& operator=(buffer&& other) noexcept {
    std::swap(home_, other.home_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~buffer() {
    if (data_) home_->deallocate(data_, bytes_);
  }

  void* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Returns the memory that it is part of; null if it has none.
  const memory* home() const noexcept { return home_.get(); }
  explicit operator bool() const noexcept { return data_ != nullptr; }

 private:
  std::shared_ptr<memory> home_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Functions called on large blocks of the host's memory when they come from the system, and before
/// they go back to it.
struct page_lock {
  void (*lock)(void* data, std::size_t bytes) noexcept = nullptr;
  void (*unlock)(void* data) noexcept = nullptr;
};

}  // namespace troupe
