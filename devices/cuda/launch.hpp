// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// Returns the CUDA stream of a stream of a GPU, for anything that CUDA does on streams. The stream
/// checks it.
inline cudaStream_t handle(stream& on) noexcept { return static_cast<cudaStream_t>(on.handle()); }

struct kernel_parameter {
  const void* data;
  std::size_t bytes;
};
inline constexpr std::size_t most_parameters = 8, most_aligned_parameter = 16;

/// Launch of a kernel: all that it reads of the host are its parameters.
struct kernel_launch {
  const void* kernel;
  dim3 blocks, threads;
  std::size_t shared_bytes;
  std::span<const kernel_parameter> parameters;
};

/// Puts a kernel on a stream of a GPU, perhaps some time later, together with others. The stream
/// checks the launch.
void launch(stream& on, const kernel_launch& one);

template <class... P>
void launch(stream& on, dim3 blocks, dim3 threads, std::size_t shared_bytes, void (*kernel)(P...),
            const std::type_identity_t<P>&... parameters) {
  static_assert(sizeof...(P) <= most_parameters &&
                ((std::is_trivially_copyable_v<P> && alignof(P) <= most_aligned_parameter) && ...));
  const kernel_parameter all[] = {{&parameters, sizeof parameters}...};
  launch(on, {reinterpret_cast<const void*>(kernel), blocks, threads, shared_bytes, all});
}

/// Throws if a CUDA call failed, with the call and the reason.
inline void check(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // otherwise the next kernel launch would report it
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

}  // namespace troupe::cuda
