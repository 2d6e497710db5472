// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/memory_pool.hpp"

#include <bit>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace troupe {

struct memory_pool::block {
  block* next;
};

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t worth_locking = std::size_t{1} << 20;
constexpr std::size_t page = 4096;  // what is locked shares none with other memory

void* from_system(std::size_t bytes) noexcept {
  const bool huge = bytes >= 2 * huge_page;
  const auto align = huge ? huge_page : bytes >= worth_locking ? page : alignment;
  void* data = std::aligned_alloc(align, (bytes + align - 1) / align * align);
#if defined(__linux__)
  if (data && huge) madvise(data, bytes, MADV_HUGEPAGE);
#endif
  return data;
}

}  // namespace

memory_pool::size_class memory_pool::class_of(std::size_t bytes) noexcept {
  if (bytes <= alignment) return {0, alignment};
  const int doubling = std::bit_width(bytes - 1) - 1;  // 2^doubling < bytes <= 2^(doubling + 1)
  const auto step = std::size_t{1} << (doubling - 2);
  const auto quarter = (bytes - 1 - (std::size_t{1} << doubling)) / step;
  const auto rounded = (std::size_t{1} << doubling) + (quarter + 1) * step;
  return {1 + 4 * (doubling - 6) + static_cast<int>(quarter),
          (rounded + alignment - 1) / alignment * alignment};
}

void memory_pool::count(std::size_t bytes) noexcept {
  const auto now = live_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  auto peak = peak_.load(std::memory_order_relaxed);
  while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {}
}

void* memory_pool::take_from_system(size_class size) const noexcept {
  void* const data = from_system(size.bytes);
  if (data && lock_.lock && size.bytes >= worth_locking) lock_.lock(data, size.bytes);
  return data;
}

void memory_pool::give_to_system(void* data, int index) const noexcept {
  if (lock_.unlock && index >= class_of(worth_locking).index) lock_.unlock(data);
  std::free(data);
}

void* memory_pool::allocate(std::size_t bytes) {
  if (bytes >> 46) throw std::bad_alloc();
  const auto size = class_of(bytes);
  if (size.bytes > capacity_ || live_.load(std::memory_order_relaxed) > capacity_ - size.bytes)
    throw std::bad_alloc();
  void* data = nullptr;
  {
    std::lock_guard lock(mutex_);
    if (auto*& list = free_[static_cast<std::size_t>(size.index)]) {
      data = std::exchange(list, list->next);
      cached_ -= size.bytes;
    }
  }
  if (!data) data = take_from_system(size);
  if (!data) {
    trim();
    data = take_from_system(size);
  }
  if (!data) throw std::bad_alloc();
  count(size.bytes);
  return data;
}

void memory_pool::deallocate(void* data, std::size_t bytes) noexcept {
  const auto size = class_of(bytes);
  live_.fetch_sub(size.bytes);  // in one order with the wish to be told, see freed()
  {
    std::lock_guard lock(mutex_);
    if (cached_ + size.bytes <= cache_limit_) {
      auto*& list = free_[static_cast<std::size_t>(size.index)];
      list = ::new (data) block{list};
      cached_ += size.bytes;
      data = nullptr;
    }
  }
  if (data) give_to_system(data, size.index);
  freed();
}

void memory_pool::disown(std::size_t bytes) noexcept {
  live_.fetch_sub(bytes);
  freed();
}

memory_statistics memory_pool::statistics() const {
  std::lock_guard lock(mutex_);
  return {live_.load(), peak_.load(), cached_};
}

void memory_pool::trim() noexcept {
  std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < free_.size(); ++i) {
    while (free_[i]) give_to_system(std::exchange(free_[i], free_[i]->next), static_cast<int>(i));
  }
  cached_ = 0;
}

}  // namespace troupe
