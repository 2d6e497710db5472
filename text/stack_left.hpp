// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

namespace troupe {

/// Returns how many bytes of stack the calling thread has left; SIZE_MAX where that is not known.
inline std::size_t stack_left() noexcept {
  static thread_local const std::uintptr_t lowest = [] {
    pthread_attr_t about;
    void* begin = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &about) != 0) return std::uintptr_t{0};
    pthread_attr_getstack(&about, &begin, &size);
    pthread_attr_destroy(&about);
    return reinterpret_cast<std::uintptr_t>(begin);
  }();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return lowest == 0 || here < lowest ? SIZE_MAX : here - lowest;
}

}  // namespace troupe
