// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/volumes.hpp"

#include <vector>

#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/window_checks.hpp"

namespace troupe {

namespace {

using three_ways = std::array<window_way, 3>;

height_width plane(const depth_height_width& x) noexcept { return {x[1], x[2]}; }

three_ways checked(const tensor& x, const tensor& weight, const conv3d_options& options,
                   caller where) {
  three_ways all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool sized = weight.defined() && weight.rank() == 5;
    all[i] = {sized ? weight.shape()[static_cast<int>(i) + 2] : 1, options.stride[i],
              options.padding[i], options.dilation[i]};
  }
  check_convolution("conv3d", x, weight, all, options.groups, where);
  return all;
}

/// Returns images [n * d', channels * kernel d, h, w]: for each position of the kernel along the
/// depth, the slices that it reads there.
tensor gathered(const tensor& x, const window_way& depth, caller where) {
  const auto& s = x.shape();
  tensor padded = x;
  if (depth.padding > 0)
    padded = pad(x, {{0, 0}, {0, 0}, {depth.padding, depth.padding}, {0, 0}, {0, 0}}, 0, where);
  const auto count = depth.positions(s[2]);
  std::vector<tensor> slices;
  for (std::int64_t k = 0; k < depth.size; ++k) {
    const auto first = k * depth.dilation;
    slices.push_back(moveaxis(
        slice(padded, 2, first, first + (count - 1) * depth.stride + 1, depth.stride, where), 2, 1,
        where));
  }
  return reshape(stack(slices, 3, where), {s[0] * count, s[1] * depth.size, s[3], s[4]}, where);
}

/// Convolves volumes with `images_with`, the convolution of images with kernels.
template <class F>
tensor convolved(const tensor& x, const tensor& weight, const conv3d_options& options, caller where,
                 const F& images_with) {
  const auto depth = checked(x, weight, options, where)[0];
  const auto& k = weight.shape();
  const conv2d_options how{plane(options.stride), plane(options.padding), plane(options.dilation),
                           options.groups};
  const auto out = images_with(gathered(x, depth, where),
                               reshape(weight, {k[0], k[1] * k[2], k[3], k[4]}, where), how);
  const auto& s = out.shape();
  return moveaxis(
      reshape(out, {x.shape()[0], depth.positions(x.shape()[2]), s[1], s[2], s[3]}, where), 1, 2,
      where);
}

/// Pools the planes of a volume with `pool`, then their columns along the depth: for a maximum and
/// a mean that is the same as all at once.
template <class Pool>
tensor pooled_volume(std::string_view what, const tensor& x, const pool3d_options& options,
                     caller where, const Pool& pool) {
  three_ways all{};
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {options.size[i], options.stride[i] == 0 ? options.size[i] : options.stride[i],
              options.padding[i]};
  check_pool(what, x, all, where);
  const auto& s = x.shape();
  const auto in_planes = pool(reshape(x, {s[0], s[1] * s[2], s[3], s[4]}, where),
                              pool2d_options{.size = {all[1].size, all[2].size},
                                             .stride = {all[1].stride, all[2].stride},
                                             .padding = {all[1].padding, all[2].padding}});
  const auto h = in_planes.shape()[2], w = in_planes.shape()[3];
  const auto in_depth = pool(
      reshape(in_planes, {s[0], s[1], s[2], h * w}, where),
      pool2d_options{
          .size = {all[0].size, 1}, .stride = {all[0].stride, 1}, .padding = {all[0].padding, 0}});
  return reshape(in_depth, {s[0], s[1], in_depth.shape()[2], h, w}, where);
}

}  // namespace

tensor conv3d(const tensor& x, const tensor& weight, const conv3d_options& options, caller where) {
  return convolved(x, weight, options, where,
                   [&](const tensor& images, const tensor& kernels, const conv2d_options& how) {
                     return conv2d(images, kernels, how, where);
                   });
}

namespace detail {

tensor conv3d_with_bias(const tensor& x, const tensor& weight, const tensor& bias,
                        const conv3d_options& options, caller where) {
  return convolved(x, weight, options, where,
                   [&](const tensor& images, const tensor& kernels, const conv2d_options& how) {
                     return conv2d(images, kernels, bias, how, where);
                   });
}

}  // namespace detail

tensor max_pool3d(const tensor& x, const pool3d_options& options, caller where) {
  return pooled_volume("max_pool3d", x, options, where,
                       [&](const tensor& images, const pool2d_options& how) {
                         return max_pool2d(images, how, where);
                       });
}

tensor avg_pool3d(const tensor& x, const pool3d_options& options, caller where) {
  return pooled_volume("avg_pool3d", x, options, where,
                       [&](const tensor& images, const pool2d_options& how) {
                         return avg_pool2d(images, how, where);
                       });
}

}  // namespace troupe
