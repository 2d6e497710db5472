// SPDX-License-Identifier: MIT
#include "troupe/tests/devices/cuda/doubled.hpp"

namespace {

__global__ void doubled(float* out, const float* in, std::int64_t n) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

__global__ void reach_beyond(float* out) { out[std::int64_t{1} << 44] = 1; }

}  // namespace

void launch_doubled(float* out, const float* in, std::int64_t n, cudaStream_t on) {
  doubled<<<static_cast<unsigned>((n + 255) / 256), 256, 0, on>>>(out, in, n);
}

void launch_fault(float* out, cudaStream_t on) { reach_beyond<<<1, 1, 0, on>>>(out); }
