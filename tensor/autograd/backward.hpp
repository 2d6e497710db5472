// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

struct backward_options {
  /// Gradient of the tensor itself, of its shape and dtype. If absent: 1, for a tensor of one
  /// element.
  tensor seed = {};
  /// Keeps what the recording kept, for another backward pass.
  bool keep = false;
  /// Records the backward pass, for gradients of gradients. Implies `keep`.
  bool record = false;
};

/// Adds to the gradients of all tensors with `attach_grad` that `of` was computed from while
/// recording. Only submits tasks: independent gradients are computed at the same time. Throws if
/// `of` was not computed from such tensors while recording, has several elements and no seed, if
/// the seed does not fit, if an earlier pass has released what an operation kept, or if it reaches
/// an operation without a gradient.
void backward(const tensor& of, const backward_options& options = {},
              caller where = caller::current());

/// Returns the gradients of `of` with respect to tensors that it was computed from, without adding
/// them to those tensors; zeros for a tensor that it does not depend on. These tensors must have a
/// gradient node themselves and must not be views.
std::vector<tensor> gradients(const tensor& of, std::span<const tensor> with_respect_to,
                              const backward_options& options = {},
                              caller where = caller::current());

/// Returns the sums of the gradients of several tensors, of which each has its seed. A seed that
/// names no array is 0; tensors that depend on nothing give nothing. Throws likewise.
std::vector<tensor> gradients(std::span<const tensor> of, std::span<const tensor> with_respect_to,
                              std::span<const tensor> seeds, const backward_options& options = {},
                              caller where = caller::current());

}  // namespace troupe
