// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

/// Of bool and integers these are float64. Several axes share one sum. They throw for an axis that
/// `x` does not have.

namespace troupe {

/// exp(x) / sum(exp(x)) along an axis, without overflow.
tensor softmax(const tensor& x, int axis = -1, caller where = caller::current());
tensor softmax(const tensor& x, const axes& over, caller where = caller::current());
/// log(softmax(x)), exact also where softmax is near 0.
tensor log_softmax(const tensor& x, int axis = -1, caller where = caller::current());
tensor log_softmax(const tensor& x, const axes& over, caller where = caller::current());

extern const operation softmax_operation, log_softmax_operation;

}  // namespace troupe
