// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>
#include <cufft.h>

#include <cstddef>
#include <map>
#include <memory>

#include "troupe/devices/cuda/fft.hpp"

namespace troupe::cuda {

/// cuFFT's plan for transforms on a stream.
class cufft_plan {
 public:
  /// Makes it for the thread's current GPU. Throws std::runtime_error.
  cufft_plan(cudaStream_t on, const fft_lines& what);
  cufft_plan(const cufft_plan&) = delete;
  cufft_plan& operator=(const cufft_plan&) = delete;
  ~cufft_plan();

  std::size_t workspace_bytes() const noexcept { return workspace_bytes_; }
  void run(bool inverse, void* in, void* out, void* workspace) const;

 private:
  fft_lines what_;
  cufftHandle handle_ = 0;
  std::size_t workspace_bytes_ = 0;
};

/// The plans of a stream, which are few: those of the lengths that it was last asked for.
class fft_plans {
 public:
  explicit fft_plans(cudaStream_t on) noexcept : on_(on) {}

  const cufft_plan& of(const fft_lines& what);

 private:
  static constexpr std::size_t most = 32;

  cudaStream_t on_;
  std::map<fft_lines, std::unique_ptr<const cufft_plan>> plans_;
};

/// Returns the stream's own plans and makes its GPU the thread's current one.
fft_plans& fft_plans_of(stream& on);

}  // namespace troupe::cuda
