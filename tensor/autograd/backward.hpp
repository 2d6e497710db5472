// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

struct backward_options {
  /// The gradient of the tensor itself, of its shape and dtype. Absent: 1, for a tensor of one
  /// element.
  tensor seed = {};
  /// Keep what the recording kept, for another backward pass.
  bool keep = false;
  /// Record the backward pass, for gradients of gradients. Implies `keep`.
  bool record = false;
};

/// Adds to the gradients of all tensors with `attach_grad` that `of` was computed from while
/// recording. Only submits: gradients that do not depend on each other are computed at the same
/// time. Throws if `of` has no gradient node, was not computed from such tensors, has several
/// elements and there is no seed, if the seed does not fit, if what an operation kept is gone since
/// an earlier pass, or where it comes to an operation whose gradient nobody has said.
void backward(const tensor& of, const backward_options& options = {},
              caller where = caller::current());

/// The gradients of `of` with respect to tensors that it was computed from, instead of adding them
/// up there; zeros for one that it does not depend on. These tensors have to have a gradient node
/// themselves and be no views.
std::vector<tensor> gradients(const tensor& of, std::span<const tensor> with_respect_to,
                              const backward_options& options = {},
                              caller where = caller::current());

}  // namespace troupe
