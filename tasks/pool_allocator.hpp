// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "troupe/tasks/node_pool.hpp"

namespace troupe {

/// Allocator for what makes single objects, such as `std::allocate_shared` and the nodes of maps.
template <class T>
struct pool_allocator {
  using value_type = T;

  pool_allocator() noexcept = default;
  template <class Other>
  pool_allocator(const pool_allocator<Other>&) noexcept {}

  T* allocate(std::size_t count) {
    if (count != 1) return std::allocator<T>().allocate(count);
    return static_cast<T*>(node_pool<sizeof(T)>::allocate());
  }
  void deallocate(T* from, std::size_t count) noexcept {
    if (count != 1) return std::allocator<T>().deallocate(from, count);
    node_pool<sizeof(T)>::deallocate(from);
  }
  bool operator==(const pool_allocator&) const noexcept { return true; }
};

}  // namespace troupe
