// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// x @ weight + bias along the last axis of `x` [..., inputs], as one task: `weight` is [inputs,
/// outputs], `bias` [outputs], and the result [..., outputs]. Of floats; of different ones the one
/// that both promote to. The bias is added to each part of the product as that is made; on a GPU by
/// the product itself, where cublasLt can. Throws for other dtypes and for shapes that do not fit.
tensor linear(const tensor& x, const tensor& weight, const tensor& bias,
              caller where = caller::current());
/// relu(x @ weight + bias), in the same way.
tensor linear_relu(const tensor& x, const tensor& weight, const tensor& bias,
                   caller where = caller::current());

extern const operation linear_operation, linear_relu_operation;

}  // namespace troupe
