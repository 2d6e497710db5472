// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "troupe/devices/memory.hpp"

namespace troupe::cuda {

/// Returns true if an address is in pageable host memory, which is not registered with a GPU.
bool is_pageable(const void* address);

/// Copies between a GPU and pageable host memory, through two buffers registered with the GPU:
/// while one is copied to or from the GPU, the host copies the other.
class staging {
 public:
  staging(int gpu, cudaStream_t on, const std::shared_ptr<memory>& shared);

  /// Returns when the host's memory has been read; the copy is on the stream.
  void to_gpu(void* to, const void* from, std::size_t bytes);
  /// Returns when the host's memory has been written.
  void from_gpu(void* to, const void* from, std::size_t bytes);

 private:
  struct slot {
    slot() = default;
    slot(const slot&) = delete;
    slot& operator=(const slot&) = delete;
    ~slot();

    buffer room;
    cudaEvent_t free = nullptr;  ///< behind the last copy that used it
  };
  static constexpr std::size_t size_ = std::size_t{4} << 20;

  void put(slot& by, void* to, const void* from, std::size_t bytes);

  cudaStream_t on_;
  slot halves_[2];
};

}  // namespace troupe::cuda
