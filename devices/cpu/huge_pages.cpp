// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/huge_pages.hpp"

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

#include "troupe/devices/cpu/system_memory.hpp"

namespace troupe {

/// Lies at the beginning of the page.
struct alignas(system_memory::alignment) huge_pages::page {
  std::size_t blocks = 0;  ///< not given back
  std::size_t used = sizeof(page);

  static page& of(void* block) noexcept {
    const auto place = reinterpret_cast<std::uintptr_t>(block);
    return *reinterpret_cast<page*>(place - place % system_memory::huge_page);
  }
  bool has_room_for(std::size_t bytes) const noexcept {
    return used + bytes <= system_memory::huge_page;
  }
};

void* huge_pages::take(std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  if (!open_ || !open_->has_room_for(bytes)) {
    void* const fresh = system_memory::take_huge_page();
    if (!fresh) return nullptr;
    if (node_ >= 0) system_memory::place(fresh, system_memory::huge_page, node_);
    open_ = ::new (fresh) page;
  }
  auto* const block = reinterpret_cast<std::byte*>(open_) + open_->used;
  open_->used += bytes;
  ++open_->blocks;
  return block;
}

void huge_pages::give_back(void* block, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  auto& one = page::of(block);
  if (--one.blocks > 0) return system_memory::forget(block, bytes);
  if (open_ == &one) one.used = sizeof(page);
  else end(one);
}

void huge_pages::trim() noexcept {
  const std::lock_guard lock(mutex_);
  if (open_ && open_->blocks == 0) end(*std::exchange(open_, nullptr));
}

void huge_pages::end(page& one) noexcept {
  if (node_ >= 0) system_memory::place(&one, system_memory::huge_page, -1);
  std::free(&one);
}

}  // namespace troupe
