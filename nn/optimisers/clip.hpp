// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "troupe/nn/variable.hpp"

/// Clipping of gradients. Nothing here waits. An optimiser's options `clip_norm` and `clip_value`
/// do the same without writing the gradients again.

namespace troupe::nn {

/// Returns the norm of all gradients of the parameters together, as if they were one vector: one
/// number, on the device of the first. Missing gradients count as 0. Throws if there is no gradient
/// at all.
tensor grad_norm(const std::vector<parameter>& parameters, caller where = caller::current());

/// Multiplies the gradients by min(1, most / (norm + 1e-6)), where norm is that of all of them
/// together, and returns it. PyTorch's clip_grad_norm_. Without any gradient it does nothing and
/// returns a tensor without an array. Throws unless most > 0.
tensor clip_by_norm(const std::vector<parameter>& parameters, double most,
                    caller where = caller::current());

/// Clamps every element of the gradients to [-limit, limit]. PyTorch's clip_grad_value_. Throws
/// unless limit > 0.
void clip_by_value(const std::vector<parameter>& parameters, double limit,
                   caller where = caller::current());

/// Returns the norm of one or more arrays as if they were one vector; on the device of the first.
tensor norm_of_all(std::span<const tensor> arrays, caller where = caller::current());
/// Returns min(1, most / (norm + 1e-6)).
tensor clip_factor(const tensor& norm, double most, caller where = caller::current());

}  // namespace troupe::nn
