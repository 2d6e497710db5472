// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/elementwise.hpp"
#include "troupe/devices/kernel.hpp"
#include "troupe/devices/update.hpp"

namespace troupe {

/// What stands for a family that a GPU has no kernels of.
template <class... Choice>
const gpu_kernel* no_gpu_kernel(Choice...) noexcept {
  return nullptr;
}

/// The kernels that come with a GPU, by family. They do what the CPU's kernels of the same names do
/// (devices/cpu), and are null for what they refuse.
struct gpu_kernels {
  using by_dtype = const gpu_kernel* (*)(dtype) noexcept;

  const gpu_kernel* (*elementwise)(elementwise_op, dtype input) noexcept = no_gpu_kernel;
  const gpu_kernel* (*cast)(dtype from, dtype to) noexcept = no_gpu_kernel;
  by_dtype copy = no_gpu_kernel;

  by_dtype fill = no_gpu_kernel, arange = no_gpu_kernel, linspace = no_gpu_kernel,
           eye = no_gpu_kernel;
  by_dtype uniform = no_gpu_kernel, normal = no_gpu_kernel, randint = no_gpu_kernel;

  const gpu_kernel* (*reduction)(reduction_op, dtype input) noexcept = no_gpu_kernel;
  const gpu_kernel* (*softmax)(softmax_op, dtype) noexcept = no_gpu_kernel;
  by_dtype matmul = no_gpu_kernel;
  const gpu_kernel* (*linear)(linear_op, dtype) noexcept = no_gpu_kernel;

  by_dtype concatenate = no_gpu_kernel, take = no_gpu_kernel, unslice = no_gpu_kernel,
           index_add = no_gpu_kernel, take_along_axis = no_gpu_kernel,
           add_along_axis = no_gpu_kernel;

  by_dtype convolution = no_gpu_kernel, convolution_input_gradient = no_gpu_kernel,
           convolution_weight_gradient = no_gpu_kernel;
  by_dtype max_pool = no_gpu_kernel, max_pool_gradient = no_gpu_kernel,
           pick_greatest = no_gpu_kernel, average_pool = no_gpu_kernel,
           average_pool_gradient = no_gpu_kernel;

  const gpu_kernel* (*update)(update_rule, dtype) noexcept = no_gpu_kernel;
};

}  // namespace troupe
