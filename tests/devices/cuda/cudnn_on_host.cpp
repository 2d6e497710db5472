// SPDX-License-Identifier: MIT
#include "troupe/tests/devices/cuda/cudnn_on_host.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/with_cudnn.hpp"

// Substitute for cuDNN where kernels run on the host.

namespace troupe::cuda {

namespace {

using testing::cudnn_behaviour;
using testing::cudnn_on_host;

constexpr std::size_t workspace_bytes = 1000;

/// Contiguous images.
template <class T>
struct pixels {
  T* data;
  const int (&shape)[4];

  bool has(int row, int column) const {
    return row >= 0 && row < shape[2] && column >= 0 && column < shape[3];
  }
  T& at(int n, int channel, int row, int column) const {
    return data[((static_cast<std::int64_t>(n) * shape[1] + channel) * shape[2] + row) * shape[3] +
                column];
  }
  void clear() const {
    std::fill_n(data, std::int64_t{shape[0]} * shape[1] * shape[2] * shape[3], T(0));
  }
};

/// Calls f(row, column) for all positions of two axes.
template <class F>
void for_all(int rows, int columns, const F& f) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) f(row, column);
  }
}

/// Calls f(image's element, weight, result's element) for each product of a convolution.
template <class T, class F>
void for_each_product(const cudnn_convolution_shape& s, const convolution_operands& operands,
                      const F& f) {
  const pixels<T> images{static_cast<T*>(operands.images), s.images},
      weights{static_cast<T*>(operands.weights), s.weights},
      results{static_cast<T*>(operands.results), s.results};
  const int features = s.weights[0] / s.groups, channels = s.weights[1];
  for_all(s.images[0], s.weights[0], [&](int n, int feature) {
    for_all(s.results[2], s.results[3], [&](int row, int column) {
      for_all(s.weights[2], s.weights[3], [&](int down, int along) {
        const int y = row * s.stride[0] - s.padding[0] + down * s.dilation[0];
        const int x = column * s.stride[1] - s.padding[1] + along * s.dilation[1];
        for (int c = 0; c < channels && images.has(y, x); ++c)
          f(images.at(n, feature / features * channels + c, y, x),
            weights.at(feature, c, down, along), results.at(n, feature, row, column));
      });
    });
  });
}

template <class T>
void convolve(const cudnn_convolution_shape& s, const convolution_operands& operands) {
  switch (s.pass) {
    case convolution_pass::results:
      pixels<T>{static_cast<T*>(operands.results), s.results}.clear();
      return for_each_product<T>(s, operands, [](T x, T w, T& y) { y += x * w; });
    case convolution_pass::images:
      pixels<T>{static_cast<T*>(operands.images), s.images}.clear();
      return for_each_product<T>(s, operands, [](T& x, T w, T y) { x += y * w; });
    case convolution_pass::weights: break;
  }
  pixels<T>{static_cast<T*>(operands.weights), s.weights}.clear();
  for_each_product<T>(s, operands, [](T x, T& w, T y) { w += x * y; });
}

template <class T>
void pool(const cudnn_pool_shape& s, const void* images, void* results) {
  const pixels<const T> in{static_cast<const T*>(images), s.images};
  const pixels<T> out{static_cast<T*>(results), s.results};
  for_all(s.results[0], s.results[1], [&](int n, int channel) {
    for_all(s.results[2], s.results[3], [&](int row, int column) {
      T sum = 0, most = -std::numeric_limits<T>::infinity();
      for_all(s.size[0], s.size[1], [&](int down, int along) {
        const int y = row * s.stride[0] - s.padding[0] + down;
        const int x = column * s.stride[1] - s.padding[1] + along;
        if (!in.has(y, x)) return;
        const T here = in.at(n, channel, y, x);
        sum += here;
        if (here > most || here != here) most = here;
      });
      out.at(n, channel, row, column) =
          s.kind == pool_kind::greatest ? most : sum / static_cast<T>(s.size[0] * s.size[1]);
    });
  });
}

}  // namespace

std::optional<std::size_t> cudnn_workspace(stream&, const cudnn_convolution_shape&) {
  if (cudnn_on_host == cudnn_behaviour::absent) return std::nullopt;
  return workspace_bytes;
}

bool convolve_with_cudnn(stream& on, const cudnn_convolution_shape& what,
                         const convolution_operands& operands, void* workspace) {
  if (cudnn_on_host != cudnn_behaviour::working) return false;
  put(on, [=] {
    std::memset(workspace, 0xff, workspace_bytes);
    if (what.type == float32) convolve<float>(what, operands);
    else convolve<double>(what, operands);
  });
  ++testing::done_by_cudnn;
  return true;
}

bool pool_with_cudnn(stream& on, const cudnn_pool_shape& what, const void* images, void* results) {
  if (cudnn_on_host != cudnn_behaviour::working) return false;
  put(on, [=] {
    if (what.type == float32) pool<float>(what, images, results);
    else pool<double>(what, images, results);
  });
  ++testing::done_by_cudnn;
  return true;
}

}  // namespace troupe::cuda
