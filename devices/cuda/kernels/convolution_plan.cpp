// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/convolution_plan.hpp"

#include <numeric>

namespace troupe::cuda {

namespace {

constexpr std::int64_t most_bytes = 256 << 20;  // of columns

/// Returns the count to take at a time, at most `most` but at least one, so that all pieces are
/// about equal.
std::int64_t evenly(std::int64_t count, std::int64_t most) noexcept {
  if (count <= most) return std::max<std::int64_t>(1, count);
  most = std::max<std::int64_t>(1, most);
  const auto pieces = (count + most - 1) / most;
  return (count + pieces - 1) / pieces;
}

}  // namespace

convolution_plan::convolution_plan(const convolution_attributes& given, const array& images_like,
                                   const array& weights_like, const array& results_like) noexcept
    : images(images_like.shape[0]),
      groups(given.groups),
      channels(weights_like.shape[1]),
      features(weights_like.shape[0] / given.groups) {
  const auto axis = [&](int i) {
    const auto together = std::gcd(given.stride[i], given.dilation[i]);
    return tap_axis{images_like.shape[2 + i],   results_like.shape[2 + i],
                    weights_like.shape[2 + i],  given.stride[i],
                    given.padding[i],           given.dilation[i],
                    given.stride[i] / together, given.dilation[i] / together};
  };
  down = axis(0), along = axis(1);
  const auto bytes = taps() * places() * static_cast<std::int64_t>(size_of(images_like.type));
  const auto most = most_bytes / std::max<std::int64_t>(1, bytes);
  largest_ = {0, 1, 0, 1, 0, evenly(channels, most)};
  if (largest_.channels < channels) return;
  largest_.groups = evenly(groups, most / largest_.channels);
  if (largest_.groups < groups) return;
  largest_.images = evenly(images, most / largest_.channels / groups);
}

bool convolution_plan::pixel_by_pixel() const noexcept {
  const auto by_itself = [](const tap_axis& axis) {
    return axis.taps == 1 && axis.stride == 1 && axis.padding == 0;
  };
  return by_itself(down) && by_itself(along);
}

}  // namespace troupe::cuda
