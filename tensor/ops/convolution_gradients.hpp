// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/convolution.hpp"

namespace troupe {

// A convolution and its two gradients, whose gradients these are in turn. What they are given fits.

/// Submits one of the three; `out` is the shape of what comes out.
tensor submit_convolution(const operation& op, tensor_pointers inputs, const shape& out,
                          const convolution_attributes& given, caller where);

tensor submit_input_gradient(const tensor& arriving, const tensor& weight, const shape& images,
                             const convolution_attributes& given, caller where = caller::current());
tensor submit_weight_gradient(const tensor& x, const tensor& arriving, const shape& weights,
                              const convolution_attributes& given,
                              caller where = caller::current());

/// Of a convolution of this result, or of one of its gradients: each result meets all weights of a
/// kernel once.
work convolution_cost(const task& t, const shape& weights, const shape& result);

}  // namespace troupe
