// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Returns the tangents of tensors that were computed from `xs` while recording: their derivatives
/// in the direction in which each of `xs` changes by its tangent (forward mode). They have the
/// shapes and dtypes of `of`; zeros for a tensor that depends on none of `xs`. A tangent of `xs`
/// that names no array is 0. `xs` must have gradient nodes and be no views, as for `gradients`.
///
/// The recording stays as it is, for other directions or a backward pass. `record` records the pass
/// itself, for derivatives of tangents. Throws for constants, views and changes of other types, and
/// if the pass reaches an operation without a gradient, or one whose recording an earlier backward
/// pass has released.
std::vector<tensor> tangents(std::span<const tensor> of, std::span<const tensor> xs,
                             std::span<const tensor> changes, bool record = false,
                             caller where = caller::current());

namespace detail {

/// Returns the tangent of what has a gradient that is linear in what arrives, and no rule of its
/// own: derivatives with respect to `arriving`, of the gradients `given` that were computed from
/// it while recording, in the directions `changes`. Gradients or changes that name no array are
/// left out; names no array if nothing is left.
tensor transposed(std::span<const tensor> given, const tensor& arriving,
                  std::span<const tensor> changes, bool record, caller where);

/// Returns a tensor to compute such gradients from, for something of this type.
tensor arriving_like(const tensor_type& type, caller where);

}  // namespace detail

}  // namespace troupe
