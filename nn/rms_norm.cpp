// SPDX-License-Identifier: MIT
#include "troupe/nn/rms_norm.hpp"

#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe::nn {

rms_norm::rms_norm(rms_norm_options options, caller where) : options_(options) {
  if (!(options.epsilon >= 0))
    throw error("rms_norm: a negative epsilon " + to_string(scalar(options.epsilon)), where);
}

tensor rms_norm::operator()(const tensor& x, caller where) const {
  detail::check_layer_input("rms_norm", x, 1, where);
  const auto size = x.shape()[x.rank() - 1];
  if (options_.affine) {
    detail::first_use(weight, init::constant(1), {size}, x, where);
    if (weight.value().shape() != shape{size})
      throw error("rms_norm: " + to_string(weight.value().shape()) +
                      " expected in the last axis, but x is " + to_string(x.type()),
                  where);
  }
  // Squares of narrow floats leave their range.
  const auto wide = astype(x, computed(x.dtype()), where);
  const auto squares = mean(square(wide, where), -1, keepdims, where);
  const auto scale = rsqrt(add(squares, options_.epsilon, where), where);
  const auto z = astype(multiply(wide, scale, where), x.dtype(), where);
  return options_.affine ? multiply(z, weight.on(x.device(), where), where) : z;
}

}  // namespace troupe::nn
