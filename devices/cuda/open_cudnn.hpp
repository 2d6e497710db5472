// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

class cudnn_handle;

/// Returns a handle for work on a stream of the thread's current GPU; null without cuDNN, or if it
/// does not start. `tf32` allows it to compute with float32 in TF32.
std::shared_ptr<cudnn_handle> open_cudnn(cudaStream_t on, bool tf32);

/// Returns the stream's own handle and makes its GPU the thread's current one; null if it has none.
cudnn_handle* cudnn_of(stream& on);

}  // namespace troupe::cuda
