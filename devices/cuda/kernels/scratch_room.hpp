// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "troupe/devices/cuda/kernels/gather.hpp"

namespace troupe::cuda {

/// Allocator of scratch memory; without memory, it only counts the bytes.
class scratch_room {
 public:
  explicit scratch_room(void* memory) noexcept : memory_(static_cast<std::byte*>(memory)) {}

  template <class T>
  T* take(std::int64_t elements) noexcept {
    auto* const at = memory_ ? memory_ + bytes_ : nullptr;
    bytes_ += whole_lines(static_cast<std::size_t>(elements) * sizeof(T));
    return reinterpret_cast<T*>(at);
  }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

}  // namespace troupe::cuda
