// SPDX-License-Identifier: MIT
#include "troupe/nn/layer_norm.hpp"

#include "troupe/nn/first_use.hpp"
#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe::nn {

namespace {

axes last(const tensor& x, int count) {
  std::vector<int> over;
  for (int i = x.rank() - count; i < x.rank(); ++i) over.push_back(i);
  return axes(over);
}

/// x with mean 0 and variance 1, nearly, over its last axes.
tensor standardised(const tensor& x, int axes, double epsilon, caller where) {
  const auto over = last(x, axes);
  const auto mean = troupe::mean(x, over, keepdims, where);
  const auto inverse = rsqrt(add(var(x, over, 0, keepdims, where), epsilon, where), where);
  return multiply_add(x, inverse, negative(multiply(mean, inverse, where), where), where);
}

}  // namespace

layer_norm::layer_norm(int axes, layer_norm_options options, caller where)
    : axes_(axes), options_(options) {
  if (axes < 1 || axes > max_rank)
    throw error("layer_norm: over " + std::to_string(axes) + " axes", where);
  if (!(options.epsilon >= 0))
    throw error("layer_norm: a negative epsilon " + to_string(scalar(options.epsilon)), where);
}

tensor layer_norm::operator()(const tensor& x, caller where) const {
  check_layer_input("layer_norm", x, axes_, where);
  const auto z = standardised(x, axes_, options_.epsilon, where);
  if (!options_.affine) return z;
  shape sizes;
  for (int i = x.rank() - axes_; i < x.rank(); ++i) sizes.push_back(x.shape()[i]);
  first_use(weight, init::constant(1), sizes, x, where);
  first_use(bias, init::constant(0), sizes, x, where);
  if (const auto& expected = weight.value().shape(); expected != sizes)
    throw error("layer_norm: " + to_string(expected) + " expected in the last axes, but x is " +
                    to_string(x.type()),
                where);
  return multiply_add(z, weight.on(x.device(), where), bias.on(x.device(), where), where);
}

}  // namespace troupe::nn
