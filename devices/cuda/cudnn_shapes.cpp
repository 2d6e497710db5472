// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cudnn_shapes.hpp"

#include <climits>
#include <cstddef>

namespace troupe::cuda {

namespace {

/// Conversion of numbers to 32 bits that records whether all of them fit.
class narrowing {
 public:
  template <std::size_t N>
  void copy(const std::int64_t (&from)[N], int (&to)[N]) noexcept {
    for (std::size_t i = 0; i < N; ++i) to[i] = one(from[i]);
  }
  void sizes(const array& x, int (&to)[4]) noexcept {
    const auto elements = x.size();
    fit_ = fit_ && elements > 0 && elements <= INT_MAX;
    for (int i = 0; i < 4; ++i) to[i] = one(x.shape[i]);
  }
  int one(std::int64_t x) noexcept {
    fit_ = fit_ && x <= INT_MAX;
    return fit_ ? static_cast<int>(x) : 0;
  }
  bool all_fit() const noexcept { return fit_; }

 private:
  bool fit_ = true;
};

}  // namespace

std::optional<cudnn_convolution_shape> cudnn_shape(convolution_pass pass,
                                                   const convolution_attributes& given,
                                                   const array& images, const array& weights,
                                                   const array& results) noexcept {
  cudnn_convolution_shape out{};
  out.pass = pass, out.type = images.type;
  narrowing narrow;
  narrow.sizes(images, out.images);
  narrow.sizes(weights, out.weights);
  narrow.sizes(results, out.results);
  narrow.copy(given.padding, out.padding);
  narrow.copy(given.stride, out.stride);
  narrow.copy(given.dilation, out.dilation);
  out.groups = narrow.one(given.groups);
  if (!narrow.all_fit()) return std::nullopt;
  return out;
}

std::optional<cudnn_pool_shape> cudnn_shape(pool_kind kind, const pooling_attributes& given,
                                            const array& images, const array& results) noexcept {
  cudnn_pool_shape out{};
  out.kind = kind, out.type = images.type;
  narrowing narrow;
  narrow.sizes(images, out.images);
  narrow.sizes(results, out.results);
  narrow.copy(given.size, out.size);
  narrow.copy(given.padding, out.padding);
  narrow.copy(given.stride, out.stride);
  if (!narrow.all_fit()) return std::nullopt;
  return out;
}

}  // namespace troupe::cuda
