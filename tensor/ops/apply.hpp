// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/ops/inputs.hpp"

namespace troupe {

/// Submits an operation with one output on whole tensors; its `infer` says what comes out.
tensor apply(const operation& op, tensor_pointers inputs, attributes given, caller where);

inline tensor apply(const operation& op, const tensor& x, attributes given, caller where) {
  const tensor* const inputs[] = {&x};
  return apply(op, tensor_pointers(inputs), std::move(given), where);
}

/// Submits an operation without inputs, which makes a tensor of type `out`. `what` is the
/// function's name.
tensor make(std::string_view what, const operation& op, const tensor_type& out, attributes given,
            caller where);

}  // namespace troupe
