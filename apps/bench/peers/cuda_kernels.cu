// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/peers/cuda_kernels.hpp"

namespace troupe::bench {

namespace {

constexpr int threads = 256;

// The mixing steps are those of MurmurHash3.
__device__ float number(std::size_t i) {
  auto bits = static_cast<unsigned>(i) + 1u;
  bits = (bits ^ (bits >> 16)) * 0x85ebca6bu;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35u;
  bits ^= bits >> 16;
  return static_cast<float>(bits >> 8) / static_cast<float>(1 << 24);
}

__device__ void put(float& to, float x) { to = x; }
__device__ void put(std::uint16_t& to, float x) {
  to = static_cast<std::uint16_t>(__float_as_uint(x) >> 16);
}

template <class T>
__global__ void fill_kernel(T* x, std::size_t n) {
  const auto i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) put(x[i], number(i));
}

template <class T>
void fill_all(T* x, std::size_t n, cudaStream_t on) {
  fill_kernel<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, on>>>(x, n);
}

__global__ void add_one_kernel(float* y, const float* x, int n) {
  const auto i = static_cast<int>(threadIdx.x);
  if (i < n) y[i] = x[i] + 1;
}

}  // namespace

void fill(float* x, std::size_t n, cudaStream_t on) { fill_all(x, n, on); }
void fill_bfloat16(std::uint16_t* x, std::size_t n, cudaStream_t on) { fill_all(x, n, on); }

void add_one(float* y, const float* x, int n, cudaStream_t on) {
  add_one_kernel<<<1, static_cast<unsigned>(n), 0, on>>>(y, x, n);
}

}  // namespace troupe::bench
