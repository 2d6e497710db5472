// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/with_cudnn.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <stdexcept>

#include "troupe/devices/cuda/cudnn_handle.hpp"
#include "troupe/devices/cuda/cudnn_types.hpp"
#include "troupe/devices/cuda/open_cudnn.hpp"

namespace troupe::cuda {

namespace {

// Functions of cuDNN for each pass, with the algorithms that may be used: those that give the same
// bits every time and sum the products of each window separately. Winograd and Fourier algorithms
// let a NaN or an infinity reach pixels outside its windows.

struct result_calls {
  using performance = cudnnConvolutionFwdAlgoPerf_t;
  using algorithm = cudnnConvolutionFwdAlgo_t;
  static constexpr auto list = &cudnn_library::result_algorithms;
  static constexpr auto workspace = &cudnn_library::result_workspace;
  static constexpr auto run = &cudnn_library::results;
  static constexpr algorithm usable[] = {
      CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
      CUDNN_CONVOLUTION_FWD_ALGO_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT};
};

struct image_calls {
  using performance = cudnnConvolutionBwdDataAlgoPerf_t;
  using algorithm = cudnnConvolutionBwdDataAlgo_t;
  static constexpr auto list = &cudnn_library::image_algorithms;
  static constexpr auto workspace = &cudnn_library::image_workspace;
  static constexpr auto run = &cudnn_library::images;
  static constexpr algorithm usable[] = {CUDNN_CONVOLUTION_BWD_DATA_ALGO_1};
};

struct weight_calls {
  using performance = cudnnConvolutionBwdFilterAlgoPerf_t;
  using algorithm = cudnnConvolutionBwdFilterAlgo_t;
  static constexpr auto list = &cudnn_library::weight_algorithms;
  static constexpr auto workspace = &cudnn_library::weight_workspace;
  static constexpr auto run = &cudnn_library::weights;
  static constexpr algorithm usable[] = {CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1};
};

template <class Descriptor>
struct operand {
  Descriptor descriptor;
  void* convolution_operands::*data;
};

/// Limit of the workspace in bytes: more is not worth taking from others, unless the operands are
/// as large.
constexpr std::size_t little_memory = std::size_t{256} << 20;

std::size_t most_workspace(const cudnn_convolution_shape& what) noexcept {
  std::size_t elements = 0;
  for (const auto* shape : {what.images, what.weights, what.results}) {
    std::size_t all = 1;
    for (int i = 0; i < 4; ++i) all *= static_cast<std::size_t>(shape[i]);
    elements += all;
  }
  return std::max(little_memory, elements * size_of(what.type));
}

}  // namespace

/// Calls f(the pass's functions, first input, second input, output), in cuDNN's order.
template <class F>
auto cudnn_convolution_plan::in_order_of_pass(const F& f) const {
  const operand<cudnnTensorDescriptor_t> images{images_, &convolution_operands::images};
  const operand<cudnnTensorDescriptor_t> results{results_, &convolution_operands::results};
  const operand<cudnnFilterDescriptor_t> weights{weights_, &convolution_operands::weights};
  switch (shape_.pass) {
    case convolution_pass::results: return f(result_calls{}, images, weights, results);
    case convolution_pass::images: return f(image_calls{}, weights, results, images);
    case convolution_pass::weights: break;
  }
  return f(weight_calls{}, images, results, weights);
}

cudnn_convolution_plan::cudnn_convolution_plan(const cudnn_handle& on,
                                               const cudnn_convolution_shape& what)
    : shape_(what),
      images_(on.library),
      results_(on.library),
      weights_(on.library),
      movement_(on.library) {
  const auto& library = on.library;
  const auto& type = cudnn_type_of(what.type);
  const auto& [n, channels, rows, columns] = what.images;
  const auto& [same_n, features, result_rows, result_columns] = what.results;
  const auto& [all_features, group_channels, down, along] = what.weights;
  library.check(
      library.set_tensor(images_, CUDNN_TENSOR_NCHW, type.data, n, channels, rows, columns),
      "cudnnSetTensor4dDescriptor");
  library.check(library.set_tensor(results_, CUDNN_TENSOR_NCHW, type.data, same_n, features,
                                   result_rows, result_columns),
                "cudnnSetTensor4dDescriptor");
  library.check(library.set_filter(weights_, type.data, CUDNN_TENSOR_NCHW, all_features,
                                   group_channels, down, along),
                "cudnnSetFilter4dDescriptor");
  library.check(library.set_convolution(movement_, what.padding[0], what.padding[1], what.stride[0],
                                        what.stride[1], what.dilation[0], what.dilation[1],
                                        CUDNN_CROSS_CORRELATION, type.sums),
                "cudnnSetConvolution2dDescriptor");
  library.check(library.set_groups(movement_, what.groups), "cudnnSetConvolutionGroupCount");
  library.check(
      library.set_math(movement_, on.tf32 && what.type == float32 ? CUDNN_DEFAULT_MATH : type.math),
      "cudnnSetConvolutionMathType");
  choose_algorithm(on);
}

void cudnn_convolution_plan::choose_algorithm(const cudnn_handle& on) {
  const auto& library = on.library;
  const auto most = most_workspace(shape_);
  const bool found = in_order_of_pass([&](auto calls, auto a, auto b, auto out) {
    typename decltype(calls)::performance listed[16];
    int count = 0;
    library.check((library.*calls.list)(on, a.descriptor, b.descriptor, movement_, out.descriptor,
                                        static_cast<int>(std::size(listed)), &count, listed),
                  "cudnnGetConvolutionAlgorithm");
    for (const auto& one : std::span(listed, static_cast<std::size_t>(count))) {
      if (one.status != CUDNN_STATUS_SUCCESS || one.determinism != CUDNN_DETERMINISTIC ||
          std::ranges::find(calls.usable, one.algo) == std::end(calls.usable))
        continue;
      std::size_t bytes = 0;
      if ((library.*calls.workspace)(on, a.descriptor, b.descriptor, movement_, out.descriptor,
                                     one.algo, &bytes) != CUDNN_STATUS_SUCCESS ||
          bytes > most)
        continue;
      algorithm_ = one.algo;
      workspace_bytes_ = bytes;
      return true;
    }
    return false;
  });
  if (!found) throw std::runtime_error("cuDNN has no algorithm for it");
}

cudnnStatus_t cudnn_convolution_plan::run(const cudnn_handle& on,
                                          const convolution_operands& operands,
                                          void* workspace) const {
  const cudnn_factors factors(shape_.type);
  return in_order_of_pass([&](auto calls, auto a, auto b, auto out) {
    return (on.library.*calls.run)(
        on, factors.one(), a.descriptor, operands.*a.data, b.descriptor, operands.*b.data,
        movement_, static_cast<typename decltype(calls)::algorithm>(algorithm_), workspace,
        workspace_bytes_, factors.zero(), out.descriptor, operands.*out.data);
  });
}

std::optional<std::size_t> cudnn_workspace(stream& on, const cudnn_convolution_shape& what) {
  auto* const handle = cudnn_of(on);
  const auto* const plan = handle ? handle->convolutions.find(what, *handle) : nullptr;
  if (!plan) return std::nullopt;
  return plan->workspace_bytes();
}

bool convolve_with_cudnn(stream& on, const cudnn_convolution_shape& what,
                         const convolution_operands& operands, void* workspace) {
  auto* const handle = cudnn_of(on);
  const auto* const plan = handle ? handle->convolutions.find(what, *handle) : nullptr;
  if (!plan) return false;
  if (plan->run(*handle, operands, workspace) == CUDNN_STATUS_SUCCESS) return true;
  handle->convolutions.refuse(what);
  return false;
}

}  // namespace troupe::cuda
