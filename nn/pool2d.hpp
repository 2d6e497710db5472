// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/ops/pooling.hpp"

/// Pooling layers for images: `nn::max_pool2d(2)`, `nn::avg_pool2d({.size = 3, .stride = 2,
/// .padding = 1})`.

namespace troupe::nn {

/// Greatest element of each window; see `troupe::max_pool2d`, which throws when the layer is
/// called.
class max_pool2d {
 public:
  explicit max_pool2d(std::int64_t size) : options_{.size = size} {}
  explicit max_pool2d(const pool2d_options& options) : options_(options) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    return troupe::max_pool2d(x, options_, where);
  }

 private:
  pool2d_options options_;
};

/// Mean of each window; see `troupe::avg_pool2d`, which throws when the layer is called.
class avg_pool2d {
 public:
  explicit avg_pool2d(std::int64_t size) : options_{.size = size} {}
  explicit avg_pool2d(const pool2d_options& options) : options_(options) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    return troupe::avg_pool2d(x, options_, where);
  }

 private:
  pool2d_options options_;
};

}  // namespace troupe::nn
