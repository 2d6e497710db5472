// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include "troupe/devices/cuda/kernels/cast.hpp"
#include "troupe/devices/cuda/kernels/convolution.hpp"
#include "troupe/devices/cuda/kernels/copy.hpp"
#include "troupe/devices/cuda/kernels/creation.hpp"
#include "troupe/devices/cuda/kernels/elementwise.hpp"
#include "troupe/devices/cuda/kernels/indexing.hpp"
#include "troupe/devices/cuda/kernels/linear.hpp"
#include "troupe/devices/cuda/kernels/matmul.hpp"
#include "troupe/devices/cuda/kernels/pooling.hpp"
#include "troupe/devices/cuda/kernels/random.hpp"
#include "troupe/devices/cuda/kernels/reduction.hpp"
#include "troupe/devices/cuda/kernels/scatter.hpp"
#include "troupe/devices/cuda/kernels/softmax.hpp"
#include "troupe/devices/cuda/kernels/update.hpp"

namespace troupe {

constinit const gpu_kernels cuda_kernels{
    .elementwise = cuda::elementwise_kernel,
    .cast = cuda::cast_kernel,
    .copy = cuda::copy_kernel,
    .fill = cuda::fill_kernel,
    .arange = cuda::arange_kernel,
    .linspace = cuda::linspace_kernel,
    .eye = cuda::eye_kernel,
    .uniform = cuda::uniform_kernel,
    .normal = cuda::normal_kernel,
    .randint = cuda::randint_kernel,
    .reduction = cuda::reduction_kernel,
    .softmax = cuda::softmax_kernel,
    .matmul = cuda::matmul_kernel,
    .linear = cuda::linear_kernel,
    .concatenate = cuda::concatenate_kernel,
    .take = cuda::take_kernel,
    .unslice = cuda::unslice_kernel,
    .index_add = cuda::index_add_kernel,
    .take_along_axis = cuda::take_along_axis_kernel,
    .add_along_axis = cuda::add_along_axis_kernel,
    .convolution = cuda::convolution_kernel,
    .convolution_input_gradient = cuda::convolution_input_gradient_kernel,
    .convolution_weight_gradient = cuda::convolution_weight_gradient_kernel,
    .max_pool = cuda::max_pool_kernel,
    .max_pool_gradient = cuda::max_pool_gradient_kernel,
    .pick_greatest = cuda::pick_greatest_kernel,
    .average_pool = cuda::average_pool_kernel,
    .average_pool_gradient = cuda::average_pool_gradient_kernel,
    .update = cuda::update_kernel,
};

}  // namespace troupe
