// SPDX-License-Identifier: MIT
#include "troupe/nn/layer_norm.hpp"

#include "troupe/nn/initialiser.hpp"
#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe::nn {

namespace {

/// Returns either the leading axes of x (`front`) or its last ones.
axes split(const tensor& x, int last, bool front) {
  std::vector<int> over;
  for (int i = 0; i < x.rank(); ++i) {
    if (front == (i < x.rank() - last)) over.push_back(i);
  }
  return axes(over);
}

/// Numbers that bring a sample's elements to about mean 0 and variance 1: (x - mean) * scale. The
/// mean is subtracted first, so that what is far from 0 keeps its digits.
struct standard {
  tensor mean, scale;
};

/// Returns both in the dtype of the computation.
standard standard_of(const tensor& elements, int last, double epsilon, caller where) {
  const auto x = astype(elements, computed(elements.dtype()), where);
  const auto over = split(x, last, false);
  const auto mean = troupe::mean(x, over, keepdims, where);
  const auto scale = rsqrt(add(var(x, over, 0, keepdims, where), epsilon, where), where);
  return {mean, scale};
}

/// Returns the gradients of x, and of the weight and the bias if there are any.
std::vector<tensor> gradients_of(const std::vector<tensor>& in, const standard& s, int last,
                                 const tensor& g) {
  const auto& x = in[0];
  const bool affine = in.size() > 1;
  const auto z = subtract_multiply(x, s.mean, s.scale);
  std::vector<tensor> out(in.size());
  if (x.node()) {
    const auto over = split(x, last, false);
    const auto to_z = affine ? g * in[1] : g;
    const auto along = mean(to_z * z, over, keepdims), total = mean(to_z, over, keepdims);
    out[0] = multiply_add(to_z, s.scale, multiply_add(z, -(s.scale * along), -(s.scale * total)));
  }
  if (affine) {
    const auto others = split(x, last, true);
    out[1] = sum(g * z, others);
    out[2] = sum(g, others);
  }
  return out;
}

}  // namespace

layer_norm::layer_norm(int axes, layer_norm_options options, caller where)
    : axes_(axes), options_(options) {
  if (axes < 1 || axes > max_rank)
    throw error("layer_norm: over " + std::to_string(axes) + " axes", where);
  if (!(options.epsilon >= 0))
    throw error("layer_norm: a negative epsilon " + to_string(scalar(options.epsilon)), where);
}

void layer_norm::initialise(const tensor& x, caller where) const {
  if (!options_.affine) return;
  shape sizes;
  for (int i = x.rank() - axes_; i < x.rank(); ++i) sizes.push_back(x.shape()[i]);
  detail::first_use(weight, init::constant(1), sizes, x, where);
  detail::first_use(bias, init::constant(0), sizes, x, where);
  if (const auto& expected = weight.value().shape(); expected != sizes)
    throw error("layer_norm: " + to_string(expected) + " expected in the last axes, but x is " +
                    to_string(x.type()),
                where);
  detail::check_sizes("layer_norm", "bias", bias, sizes, where);
}

tensor layer_norm::operator()(const tensor& x, caller where) const {
  detail::check_layer_input("layer_norm", x, axes_, where);
  initialise(x, where);
  std::vector<tensor> in{x};
  if (options_.affine)
    in.insert(in.end(), {weight.on(x.device(), where), bias.on(x.device(), where)});
  const auto s = [&] {
    const no_grad constant;
    return standard_of(x, axes_, options_.epsilon, where);
  }();
  return custom_gradient(
      in,
      [&](const std::vector<tensor>& parts) {
        auto z = subtract_multiply(parts[0], s.mean, s.scale, where);
        if (options_.affine) z = multiply_add(z, parts[1], parts[2], where);
        return astype(z, x.dtype(), where);
      },
      [s, last = axes_, epsilon = options_.epsilon](const std::vector<tensor>& parts, const tensor&,
                                                    const tensor& g) {
        // For gradients of gradients, the statistics depend on x.
        return gradients_of(
            parts, recording::active() ? standard_of(parts[0], last, epsilon, {}) : s, last, g);
      },
      where);
}

}  // namespace troupe::nn
