// SPDX-License-Identifier: MIT
#pragma once

#include <cudnn.h>

namespace troupe::cuda {

/// Functions used of cuDNN, which is loaded at the first convolution or pool on a GPU.
struct cudnn_library {
  decltype(&cudnnCreate) create;
  decltype(&cudnnDestroy) destroy;
  decltype(&cudnnSetStream) set_stream;
  decltype(&cudnnGetErrorString) status_text;

  decltype(&cudnnCreateTensorDescriptor) create_tensor;
  decltype(&cudnnSetTensor4dDescriptor) set_tensor;
  decltype(&cudnnDestroyTensorDescriptor) destroy_tensor;
  decltype(&cudnnCreateFilterDescriptor) create_filter;
  decltype(&cudnnSetFilter4dDescriptor) set_filter;
  decltype(&cudnnDestroyFilterDescriptor) destroy_filter;

  decltype(&cudnnCreateConvolutionDescriptor) create_convolution;
  decltype(&cudnnSetConvolution2dDescriptor) set_convolution;
  decltype(&cudnnSetConvolutionGroupCount) set_groups;
  decltype(&cudnnSetConvolutionMathType) set_math;
  decltype(&cudnnDestroyConvolutionDescriptor) destroy_convolution;

  decltype(&cudnnGetConvolutionForwardAlgorithm_v7) result_algorithms;
  decltype(&cudnnGetConvolutionForwardWorkspaceSize) result_workspace;
  decltype(&cudnnConvolutionForward) results;
  decltype(&cudnnGetConvolutionBackwardDataAlgorithm_v7) image_algorithms;
  decltype(&cudnnGetConvolutionBackwardDataWorkspaceSize) image_workspace;
  decltype(&cudnnConvolutionBackwardData) images;
  decltype(&cudnnGetConvolutionBackwardFilterAlgorithm_v7) weight_algorithms;
  decltype(&cudnnGetConvolutionBackwardFilterWorkspaceSize) weight_workspace;
  decltype(&cudnnConvolutionBackwardFilter) weights;

  decltype(&cudnnCreatePoolingDescriptor) create_pool;
  decltype(&cudnnSetPooling2dDescriptor) set_pool;
  decltype(&cudnnDestroyPoolingDescriptor) destroy_pool;
  decltype(&cudnnPoolingForward) pool;

  /// Returns the library, or null if it cannot be loaded.
  static const cudnn_library* find();

  /// Throws std::runtime_error if a call failed, with the call and the reason.
  void check(cudnnStatus_t result, const char* call) const;
};

}  // namespace troupe::cuda
