// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cuda_driver.hpp"

#include <algorithm>
#include <cstdio>

#include "troupe/devices/cuda/cuda_stream.hpp"
#include "troupe/devices/cuda/expression_kernels.hpp"
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"
#include "troupe/devices/cuda/segment_pool.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe {

namespace {

using cuda::cuda_stream;

constexpr std::size_t least_memory = std::size_t{64} << 20;  // with less, a GPU is of no use

/// Memory of a GPU.
class gpu_memory final : public memory_source {
 public:
  explicit gpu_memory(int gpu) : gpu_(gpu) {}

  void* allocate(std::size_t bytes) noexcept override {
    void* data = nullptr;
    if (cudaSetDevice(gpu_) == cudaSuccess && cudaMalloc(&data, bytes) == cudaSuccess) return data;
    cudaGetLastError();  // otherwise the next kernel launch would report it
    return nullptr;
  }
  void release(void* data) noexcept override {
    if (cudaSetDevice(gpu_) == cudaSuccess) cudaFree(data);
    cudaGetLastError();
  }

 private:
  int gpu_;
};

/// Memory of the host, in pages registered with all GPUs.
class pinned_memory final : public memory_source {
 public:
  void* allocate(std::size_t bytes) noexcept override {
    void* data = nullptr;
    if (cudaHostAlloc(&data, bytes, cudaHostAllocPortable) == cudaSuccess) return data;
    cudaGetLastError();
    return nullptr;
  }
  void release(void* data) noexcept override {
    cudaFreeHost(data);
    cudaGetLastError();
  }
};

class cuda_driver final : public driver {
 public:
  cuda_driver(int index, const cudaDeviceProp& facts, std::size_t memory_limit)
      : index_(index),
        memory_limit_(memory_limit),
        description_(describe(facts)),
        memory_(std::make_shared<segment_pool>(std::make_unique<gpu_memory>(index),
                                               memory_limit + memory_limit / 16)),
        shared_memory_(
            std::make_shared<segment_pool>(std::make_unique<pinned_memory>(), most_shared_memory)),
        compiled_(10 * facts.major + facts.minor) {}

  device id() const override { return gpu(index_); }
  std::string description() const override { return description_; }
  const std::shared_ptr<troupe::memory>& memory() const override { return memory_; }
  const std::shared_ptr<troupe::memory>& shared_memory() const override { return shared_memory_; }
  std::size_t memory_limit() const override { return memory_limit_; }
  const kernel_table& kernels() const override { return cuda::all_kernels; }
  std::unique_ptr<stream> open_stream() override {
    return std::make_unique<cuda_stream>(index_, shared_memory_);
  }
  std::shared_ptr<const stream_kernel> compile(const element_expression& e) override {
    return compiled_.find(e);
  }
  int lanes() const override { return 1; }
  // A failure here shows up on the device's streams.
  void enter(int) noexcept override { cudaSetDevice(index_); }

 private:
  static constexpr std::size_t most_shared_memory = std::size_t{1} << 30;

  static std::string describe(const cudaDeviceProp& facts) {
    return std::string(facts.name) + ", " + bytes_text(static_cast<double>(facts.totalGlobalMem)) +
           ", compute capability " + std::to_string(facts.major) + "." +
           std::to_string(facts.minor);
  }

  int index_;
  std::size_t memory_limit_;
  std::string description_;
  std::shared_ptr<troupe::memory> memory_, shared_memory_;
  cuda::expression_kernels compiled_;
};

/// Gives a GPU and those before it access to each other's memory, where the machine allows it;
/// otherwise copies go through the host.
void know_each_other(int gpu) {
  for (int other = 0; other < gpu; ++other) {
    for (const auto& [from, to] : {std::pair(gpu, other), std::pair(other, gpu)}) {
      int possible = 0;
      if (cudaDeviceCanAccessPeer(&possible, from, to) == cudaSuccess && possible) {
        if (cudaSetDevice(from) == cudaSuccess) cudaDeviceEnablePeerAccess(to, 0);
      }
      cudaGetLastError();  // access may have been enabled already
    }
  }
}

}  // namespace

drivers make_cuda_drivers(int most, std::size_t memory_limit) {
  drivers made;
  int count = 0;
  if (most == 0) return made;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return made;  // no GPU, or no driver
  }
  for (int i = 0; i < std::min(count, most); ++i) {
    cudaDeviceProp facts{};
    std::size_t free = 0, all = 0;
    const bool usable = cudaGetDeviceProperties(&facts, i) == cudaSuccess &&
                        cudaSetDevice(i) == cudaSuccess &&
                        cudaMemGetInfo(&free, &all) == cudaSuccess;
    cudaGetLastError();
    if (!usable || free < least_memory) continue;  // in use by another program, or broken
    know_each_other(i);
    made.push_back(std::make_shared<cuda_driver>(i, facts, std::min(memory_limit, free / 10 * 9)));
  }
  return made;
}

page_lock cuda_page_lock() noexcept {
  return {.lock =
              [](void* data, std::size_t bytes) noexcept {
                // If registration fails, copies go through buffers.
                if (cudaHostRegister(data, bytes, cudaHostRegisterPortable) != cudaSuccess)
                  cudaGetLastError();
              },
          .unlock =
              [](void* data) noexcept {
                if (cudaHostUnregister(data) != cudaSuccess) cudaGetLastError();
              }};
}

}  // namespace troupe
