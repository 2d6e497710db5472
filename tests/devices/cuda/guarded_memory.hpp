// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "troupe/devices/cuda/segment_pool.hpp"

namespace troupe::testing {

/// Memory that stands for a GPU's: readable and writable only while the GPU works. Any other access
/// ends the program, as with a GPU's memory.
class guarded_memory {
 public:
  /// Scope in which the GPU works.
  class work {
   public:
    explicit work(guarded_memory& on) : on_(on) { on_.change(+1); }
    work(const work&) = delete;
    work& operator=(const work&) = delete;
    ~work() { on_.change(-1); }

   private:
    guarded_memory& on_;
  };

  guarded_memory() = default;
  guarded_memory(const guarded_memory&) = delete;
  guarded_memory& operator=(const guarded_memory&) = delete;
  ~guarded_memory() {
    for (const auto& [data, bytes] : blocks_) munmap(data, bytes);
  }

  void* allocate(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    void* const data = mmap(nullptr, bytes, protection(), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) return nullptr;
    madvise(data, bytes, MADV_HUGEPAGE);  // changing many small pages takes most of a test's time
    blocks_.emplace(data, bytes);
    return data;
  }
  void release(void* data) {
    std::lock_guard lock(mutex_);
    const auto one = blocks_.find(data);
    munmap(data, one->second);
    blocks_.erase(one);
  }

 private:
  int protection() const noexcept { return working_ > 0 ? PROT_READ | PROT_WRITE : PROT_NONE; }

  void change(int by) {
    std::lock_guard lock(mutex_);
    const int before = protection();
    working_ += by;
    if (protection() != before) {
      for (const auto& [data, bytes] : blocks_) mprotect(data, bytes, protection());
    }
  }

  std::mutex mutex_;
  int working_ = 0;  ///< number of streams at work
  std::map<void*, std::size_t> blocks_;
};

/// Source that gives it to a pool.
class guarded_source final : public memory_source {
 public:
  explicit guarded_source(std::shared_ptr<guarded_memory> from) : from_(std::move(from)) {}
  void* allocate(std::size_t bytes) noexcept override { return from_->allocate(bytes); }
  void release(void* data) noexcept override { from_->release(data); }

 private:
  std::shared_ptr<guarded_memory> from_;
};

}  // namespace troupe::testing
