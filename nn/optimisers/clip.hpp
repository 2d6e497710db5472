// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "troupe/nn/variable.hpp"

/// Gradients that are too large, made smaller. Nothing here waits. An optimiser's options
/// `clip_norm` and `clip_value` do the same without writing the gradients once more.

namespace troupe::nn {

/// The norm of all gradients of the parameters together, as if they were one vector: one number, on
/// the device of the first. Those without a gradient count as 0. Throws if none has one.
tensor grad_norm(const std::vector<parameter>& parameters, caller where = caller::current());

/// Multiplies the gradients by min(1, most / (norm + 1e-6)), where norm is theirs together, which
/// it gives. PyTorch's clip_grad_norm_. Without any gradient it does nothing, and gives a tensor
/// without an array. Throws unless most > 0.
tensor clip_by_norm(const std::vector<parameter>& parameters, double most,
                    caller where = caller::current());

/// Keeps every element of the gradients between -limit and limit. PyTorch's clip_grad_value_.
/// Throws unless limit > 0.
void clip_by_value(const std::vector<parameter>& parameters, double limit,
                   caller where = caller::current());

/// The norm of arrays, one at least, as if they were one vector; on the device of the first.
tensor norm_of_all(std::span<const tensor> arrays, caller where = caller::current());
/// min(1, most / (norm + 1e-6)).
tensor clip_factor(const tensor& norm, double most, caller where = caller::current());

}  // namespace troupe::nn
