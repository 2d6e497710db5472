// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cudnn_library.hpp"

#include <optional>
#include <stdexcept>
#include <string>

#include "troupe/devices/cuda/shared_library.hpp"
#include "troupe/devices/made_once.hpp"

namespace troupe::cuda {

namespace {

std::optional<cudnn_library> load() noexcept {
  // The version whose header this was built with.
  void* const from =
      open_library("libcudnn.so." + std::to_string(CUDNN_MAJOR), TROUPE_CUDNN_LIBRARIES);
  cudnn_library out{};
  const bool whole =
      from && bind(from, out.create, "cudnnCreate") && bind(from, out.destroy, "cudnnDestroy") &&
      bind(from, out.set_stream, "cudnnSetStream") &&
      bind(from, out.status_text, "cudnnGetErrorString") &&
      bind(from, out.create_tensor, "cudnnCreateTensorDescriptor") &&
      bind(from, out.set_tensor, "cudnnSetTensor4dDescriptor") &&
      bind(from, out.destroy_tensor, "cudnnDestroyTensorDescriptor") &&
      bind(from, out.create_filter, "cudnnCreateFilterDescriptor") &&
      bind(from, out.set_filter, "cudnnSetFilter4dDescriptor") &&
      bind(from, out.destroy_filter, "cudnnDestroyFilterDescriptor") &&
      bind(from, out.create_convolution, "cudnnCreateConvolutionDescriptor") &&
      bind(from, out.set_convolution, "cudnnSetConvolution2dDescriptor") &&
      bind(from, out.set_groups, "cudnnSetConvolutionGroupCount") &&
      bind(from, out.set_math, "cudnnSetConvolutionMathType") &&
      bind(from, out.destroy_convolution, "cudnnDestroyConvolutionDescriptor") &&
      bind(from, out.result_algorithms, "cudnnGetConvolutionForwardAlgorithm_v7") &&
      bind(from, out.result_workspace, "cudnnGetConvolutionForwardWorkspaceSize") &&
      bind(from, out.results, "cudnnConvolutionForward") &&
      bind(from, out.image_algorithms, "cudnnGetConvolutionBackwardDataAlgorithm_v7") &&
      bind(from, out.image_workspace, "cudnnGetConvolutionBackwardDataWorkspaceSize") &&
      bind(from, out.images, "cudnnConvolutionBackwardData") &&
      bind(from, out.weight_algorithms, "cudnnGetConvolutionBackwardFilterAlgorithm_v7") &&
      bind(from, out.weight_workspace, "cudnnGetConvolutionBackwardFilterWorkspaceSize") &&
      bind(from, out.weights, "cudnnConvolutionBackwardFilter") &&
      bind(from, out.create_pool, "cudnnCreatePoolingDescriptor") &&
      bind(from, out.set_pool, "cudnnSetPooling2dDescriptor") &&
      bind(from, out.destroy_pool, "cudnnDestroyPoolingDescriptor") &&
      bind(from, out.pool, "cudnnPoolingForward");
  if (!whole) return std::nullopt;
  return out;
}

}  // namespace

const cudnn_library* cudnn_library::find() {
  static constinit made_once<const decltype(load())> loaded;
  const auto& library = loaded.get(load);
  return library ? &*library : nullptr;
}

void cudnn_library::check(cudnnStatus_t result, const char* call) const {
  if (result != CUDNN_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + status_text(result));
}

}  // namespace troupe::cuda
