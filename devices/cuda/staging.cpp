// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/staging.hpp"

#include <algorithm>
#include <cstring>

#include "troupe/devices/cuda/launch.hpp"

namespace troupe::cuda {

bool is_pageable(const void* address) {
  cudaPointerAttributes facts{};
  check(cudaPointerGetAttributes(&facts, address), "cudaPointerGetAttributes");
  return facts.type == cudaMemoryTypeUnregistered;
}

staging::staging(int gpu, cudaStream_t on, const std::shared_ptr<memory>& shared) : on_(on) {
  check(cudaSetDevice(gpu), "cudaSetDevice");
  for (auto& half : halves_) half.room = buffer(shared, size_);
  for (auto& half : halves_)
    check(cudaEventCreateWithFlags(&half.free, cudaEventDisableTiming | cudaEventBlockingSync),
          "cudaEventCreate");
}

staging::slot::~slot() {
  if (!free) return;
  cudaEventSynchronize(free);
  cudaEventDestroy(free);
}

void staging::to_gpu(void* to, const void* from, std::size_t bytes) {
  for (std::size_t done = 0, i = 0; done < bytes; done += size_, ++i) {
    auto& half = halves_[i % 2];
    const auto n = std::min(size_, bytes - done);
    check(cudaEventSynchronize(half.free), "cudaEventSynchronize");
    std::memcpy(half.room.data(), static_cast<const std::byte*>(from) + done, n);
    put(half, static_cast<std::byte*>(to) + done, half.room.data(), n);
  }
}

void staging::from_gpu(void* to, const void* from, std::size_t bytes) {
  const auto fetch = [&](std::size_t begin) {
    auto& half = halves_[begin / size_ % 2];
    if (begin < bytes)
      put(half, half.room.data(), static_cast<const std::byte*>(from) + begin,
          std::min(size_, bytes - begin));
  };
  fetch(0);
  for (std::size_t done = 0; done < bytes; done += size_) {
    fetch(done + size_);
    const auto& half = halves_[done / size_ % 2];
    check(cudaEventSynchronize(half.free), "cudaEventSynchronize");
    std::memcpy(static_cast<std::byte*>(to) + done, half.room.data(),
                std::min(size_, bytes - done));
  }
}

void staging::put(slot& by, void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, on_), "cudaMemcpyAsync");
  check(cudaEventRecord(by.free, on_), "cudaEventRecord");
}

}  // namespace troupe::cuda
