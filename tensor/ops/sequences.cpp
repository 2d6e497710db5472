// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/sequences.hpp"

#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/window_checks.hpp"

namespace troupe {

namespace {

/// Returns f of the sequences as images of height 1, as sequences again.
template <class F>
tensor as_images(const tensor& x, caller where, const F& f) {
  return squeeze(f(expand_dims(x, 2, where)), 2, where);
}

/// Checks the input of a pool; returns its windows on images of height 1.
pool2d_options windows(std::string_view what, const tensor& x, const pool1d_options& options,
                       caller where) {
  const window_way way{options.size, options.stride == 0 ? options.size : options.stride,
                       options.padding};
  check_pool(what, x, {&way, 1}, where);
  return {.size = {1, way.size}, .stride = {1, way.stride}, .padding = {0, way.padding}};
}

conv2d_options checked(const tensor& x, const tensor& weight, const conv1d_options& options,
                       caller where) {
  const window_way way{weight.defined() && weight.rank() == 3 ? weight.shape()[2] : 1,
                       options.stride, options.padding, options.dilation};
  check_convolution("conv1d", x, weight, {&way, 1}, options.groups, where);
  return {{1, options.stride}, {0, options.padding}, {1, options.dilation}, options.groups};
}

}  // namespace

tensor conv1d(const tensor& x, const tensor& weight, const conv1d_options& options, caller where) {
  const auto how = checked(x, weight, options, where);
  return as_images(x, where, [&](const tensor& images) {
    return conv2d(images, expand_dims(weight, 2, where), how, where);
  });
}

namespace detail {

tensor conv1d_with_bias(const tensor& x, const tensor& weight, const tensor& bias,
                        const conv1d_options& options, caller where) {
  const auto how = checked(x, weight, options, where);
  return as_images(x, where, [&](const tensor& images) {
    return conv2d(images, expand_dims(weight, 2, where), bias, how, where);
  });
}

}  // namespace detail

tensor max_pool1d(const tensor& x, const pool1d_options& options, caller where) {
  const auto how = windows("max_pool1d", x, options, where);
  return as_images(x, where, [&](const tensor& images) { return max_pool2d(images, how, where); });
}

tensor avg_pool1d(const tensor& x, const pool1d_options& options, caller where) {
  const auto how = windows("avg_pool1d", x, options, where);
  return as_images(x, where, [&](const tensor& images) { return avg_pool2d(images, how, where); });
}

}  // namespace troupe
