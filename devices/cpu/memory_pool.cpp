// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/memory_pool.hpp"

#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>

#include "troupe/devices/cpu/system_memory.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace troupe {

struct memory_pool::block {
  block* next;
};

namespace {

constexpr std::size_t large = std::size_t{1} << 20;  // worth locking, and placing on a node
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t medium = large;  // who writes behind a block is to be seen
#else
constexpr std::size_t medium = std::size_t{16} << 10;  // worth being side by side
#endif
}  // namespace

memory_pool::size_class memory_pool::class_of(std::size_t bytes) noexcept {
  constexpr auto alignment = system_memory::alignment;
  if (bytes <= alignment) return {0, alignment};
  const int doubling = std::bit_width(bytes - 1) - 1;  // 2^doubling < bytes <= 2^(doubling + 1)
  const auto step = std::size_t{1} << (doubling - 2);
  const auto quarter = (bytes - 1 - (std::size_t{1} << doubling)) / step;
  const auto rounded = (std::size_t{1} << doubling) + (quarter + 1) * step;
  return {1 + 4 * (doubling - 6) + static_cast<int>(quarter),
          (rounded + alignment - 1) / alignment * alignment};
}

/// Returns the size of the class with an index, which is not the first.
std::size_t memory_pool::bytes_of(int index) noexcept {
  const int doubling = 6 + (index - 1) / 4, quarter = (index - 1) % 4;
  return (std::size_t{1} << doubling) +
         static_cast<std::size_t>(quarter + 1) * (std::size_t{1} << (doubling - 2));
}

void memory_pool::count(std::size_t bytes) noexcept {
  const auto now = live_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  auto peak = peak_.load(std::memory_order_relaxed);
  while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {}
}

void* memory_pool::take_from_system(size_class size) noexcept {
  if (size.bytes >= medium && size.bytes < large) return side_by_side_.take(size.bytes);
  void* const data = system_memory::take(size.bytes);
  if (data && size.bytes >= large) {
    if (node_ != no_node) system_memory::place(data, size.bytes, node_);
    if (lock_.lock) lock_.lock(data, size.bytes);
  }
  return data;
}

void memory_pool::give_to_system(void* data, int index) noexcept {
  const auto bytes = index > 0 ? bytes_of(index) : system_memory::alignment;
  if (bytes >= medium && bytes < large) return side_by_side_.give_back(data, bytes);
  if (bytes >= large) {
    if (lock_.unlock) lock_.unlock(data);
    if (node_ != no_node) system_memory::place(data, bytes, no_node);
  }
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
    free_cached();
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
  free_cached();
  side_by_side_.trim();
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

/// Frees what is cached; the allocator of the process may keep some of it.
void memory_pool::free_cached() noexcept {
  decltype(free_) gone{};
  {
    std::lock_guard lock(mutex_);
    gone.swap(free_);
    cached_ = 0;
  }
  for (std::size_t i = 0; i < gone.size(); ++i) {
    while (gone[i]) give_to_system(std::exchange(gone[i], gone[i]->next), static_cast<int>(i));
  }
}

}  // namespace troupe
