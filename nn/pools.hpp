// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include "troupe/tensor/ops/adaptive_pooling.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/sequences.hpp"
#include "troupe/tensor/ops/volumes.hpp"

/// Pooling layers: `nn::max_pool2d(2)`, `nn::avg_pool1d({.size = 3, .stride = 2, .padding = 1})`.

namespace troupe::nn {

/// Layer of a pool: `Pool(x, options)`, which throws when the layer is called.
template <auto Pool, class Options>
class pool_layer {
 public:
  /// The size comes first, then the rest: `max_pool2d(3, {.stride = 2})`.
  explicit pool_layer(std::int64_t size, Options rest = {}) : options_(std::move(rest)) {
    options_.size = size;
  }
  explicit pool_layer(const Options& options) : options_(options) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    return Pool(x, options_, where);
  }

 private:
  Options options_;
};

/// Greatest element of each window of sequences, images or volumes.
using max_pool1d = pool_layer<&troupe::max_pool1d, pool1d_options>;
using max_pool2d = pool_layer<&troupe::max_pool2d, pool2d_options>;
using max_pool3d = pool_layer<&troupe::max_pool3d, pool3d_options>;
/// Mean of each window.
using avg_pool1d = pool_layer<&troupe::avg_pool1d, pool1d_options>;
using avg_pool2d = pool_layer<&troupe::avg_pool2d, pool2d_options>;
using avg_pool3d = pool_layer<&troupe::avg_pool3d, pool3d_options>;

/// Means of windows that share images out evenly: `adaptive_avg_pool2d(1)` leaves one pixel.
class adaptive_avg_pool2d {
 public:
  explicit adaptive_avg_pool2d(height_width size) : size_(size) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    return troupe::adaptive_avg_pool2d(x, size_, where);
  }

 private:
  height_width size_;
};

}  // namespace troupe::nn
