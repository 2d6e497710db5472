// SPDX-License-Identifier: MIT
#include "troupe/nn/batch_norm.hpp"

#include "troupe/nn/initialiser.hpp"
#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe::nn {

using statistics = batch_norm::statistics;

namespace {

axes all_but_channels(const tensor& x) {
  std::vector<int> over;
  for (int i = 0; i < x.rank(); ++i) {
    if (i != 1) over.push_back(i);
  }
  return axes(over);
}

shape beside_channels(const tensor& x) {
  shape sizes;
  for (int i = 0; i < x.rank(); ++i) sizes.push_back(i == 1 ? x.shape()[1] : 1);
  return sizes;
}

/// Returns the statistics in the dtype of the computation.
statistics statistics_of(const tensor& elements, caller where) {
  const auto x = astype(elements, computed(elements.dtype()), where);
  const auto over = all_but_channels(x);
  return {mean(x, over, keepdims, where), var(x, over, 0, keepdims, where)};
}

/// Computes (x - mean) * rsqrt(variance + epsilon) * weight + bias in one pass over x; weight and
/// bias may be absent.
tensor normalised(const tensor& x, const statistics& s, double epsilon, const tensor& weight,
                  const tensor& bias, caller where) {
  const auto sizes = beside_channels(x);
  auto scale = rsqrt(add(s.variance, epsilon, where), where);
  if (weight.defined()) scale = multiply(scale, reshape(weight, sizes, where), where);
  auto shift = negative(multiply(s.mean, scale, where), where);
  if (bias.defined()) shift = add(shift, reshape(bias, sizes, where), where);
  return astype(multiply_add(x, scale, shift, where), x.dtype(), where);
}

/// Returns the gradients of x, and of the weight and the bias if there are any, where the
/// statistics are those of x itself.
std::vector<tensor> gradients_of(const std::vector<tensor>& in, const statistics& s, double epsilon,
                                 const tensor& g) {
  const auto& x = in[0];
  const auto over = all_but_channels(x);
  const double count = static_cast<double>(x.size()) / static_cast<double>(x.shape()[1]);
  const auto inverse = rsqrt(s.variance + epsilon);
  const auto apart = x - s.mean;
  const auto along = sum(g * apart, over, keepdims) * inverse, total = sum(g, over, keepdims);
  const bool affine = in.size() > 1;
  const auto scale = affine ? inverse * reshape(in[1], beside_channels(x)) : inverse;
  const auto share = scale * (-1 / count);
  tensor to_x;
  if (x.node())
    to_x = multiply_add(g, scale, multiply_add(apart, share * along * inverse, share * total));
  if (!affine) return {to_x};
  return {to_x, reshape(along, in[1].shape()), reshape(total, in[2].shape())};
}

}  // namespace

batch_norm::batch_norm(batch_norm_options options, caller where) : options_(options) {
  if (!(options.momentum >= 0 && options.momentum <= 1))
    throw error("batch_norm: a momentum of " + to_string(scalar(options.momentum)) +
                    " is not between 0 and 1",
                where);
  if (!(options.epsilon >= 0))
    throw error("batch_norm: a negative epsilon " + to_string(scalar(options.epsilon)), where);
}

void batch_norm::initialise(const tensor& x, caller where) const {
  const shape sizes{x.shape()[1]};
  if (options_.affine) {
    detail::first_use(weight, init::constant(1), sizes, x, where);
    detail::first_use(bias, init::constant(0), sizes, x, where);
  }
  detail::first_use(running_mean, init::constant(0), sizes, x, computed(x.dtype()), where);
  detail::first_use(running_var, init::constant(1), sizes, x, computed(x.dtype()), where);
  if (const auto expected = running_mean.current().shape(); expected != sizes)
    throw error("batch_norm: " + to_string(expected) + " channels expected, but x is " +
                    to_string(x.type()),
                where);
  const auto check = [&](std::string_view name, const variable& v) {
    if (const auto found = v.current().shape(); found != sizes)
      throw error("batch_norm: " + std::string(name) + " is " + to_string(found) +
                      ", but running_mean is " + to_string(sizes),
                  where);
  };
  check("running_var", running_var);
  if (!options_.affine) return;
  check("weight", weight);
  check("bias", bias);
}

tensor batch_norm::operator()(const tensor& x, caller where) const {
  detail::check_layer_input("batch_norm", x, 2, where);
  initialise(x, where);
  return mode_.training ? of_batch(x, where) : of_running(x, where);
}

tensor batch_norm::of_batch(const tensor& x, caller where) const {
  const std::int64_t count = x.shape()[1] == 0 ? 0 : x.size() / x.shape()[1];
  if (count < 2)
    throw error("batch_norm: training takes 2 values for each channel at least, but x is " +
                    to_string(x.type()),
                where);
  const bool affine = options_.affine;
  const auto epsilon = options_.epsilon;
  std::vector<tensor> in{x};
  if (affine) in.insert(in.end(), {weight.on(x.device(), where), bias.on(x.device(), where)});
  const auto batch = [&] {
    const no_grad constant;
    return statistics_of(x, where);
  }();
  gather(batch, count, where);
  return custom_gradient(
      in,
      [&](const std::vector<tensor>& parts) {
        return normalised(parts[0], batch, epsilon, affine ? parts[1] : tensor(),
                          affine ? parts[2] : tensor(), where);
      },
      [batch, epsilon](const std::vector<tensor>& parts, const tensor&, const tensor& g) {
        // For gradients of gradients, the statistics depend on x.
        return gradients_of(parts, recording::active() ? statistics_of(parts[0], {}) : batch,
                            epsilon, g);
      },
      where);
}

tensor batch_norm::of_running(const tensor& x, caller where) const {
  const auto sizes = beside_channels(x);
  const auto here = [&](const variable& v) {
    return reshape(to(v.current(where), x.device(), where), sizes, where);
  };
  const statistics running{here(running_mean), here(running_var)};
  return normalised(x, running, options_.epsilon,
                    options_.affine ? weight.on(x.device(), where) : tensor(),
                    options_.affine ? bias.on(x.device(), where) : tensor(), where);
}

void batch_norm::gather(const statistics& batch, std::int64_t count, caller where) const {
  const no_grad constant;
  const auto include = [&](const variable& v, const tensor& seen, double factor) {
    const auto with = [&](const tensor& now) {
      const auto share = to(reshape(seen, now.shape(), where), now.device(), where);
      return multiply_add(share, factor, multiply(now, 1 - options_.momentum, where), where);
    };
    v.update(with, where);
  };
  const auto n = static_cast<double>(count);
  include(running_mean, batch.mean, options_.momentum);
  include(running_var, batch.variance, options_.momentum * n / (n - 1));
}

}  // namespace troupe::nn
