// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cudnn_handle.hpp"

#include <stdexcept>

#include "troupe/devices/cuda/open_cudnn.hpp"

namespace troupe::cuda {

cudnn_handle::cudnn_handle(const cudnn_library& from, cudaStream_t on, bool with_tf32)
    : library(from), tf32(with_tf32) {
  library.check(library.create(&made_), "cudnnCreate");
  if (const auto result = library.set_stream(made_, on); result != CUDNN_STATUS_SUCCESS) {
    library.destroy(made_);
    library.check(result, "cudnnSetStream");
  }
}

cudnn_handle::~cudnn_handle() { library.destroy(made_); }

std::shared_ptr<cudnn_handle> open_cudnn(cudaStream_t on, bool tf32) {
  const auto* const library = cudnn_library::find();
  if (!library) return nullptr;
  try {
    return std::make_shared<cudnn_handle>(*library, on, tf32);
  } catch (const std::runtime_error&) { return nullptr; }
}

}  // namespace troupe::cuda
