// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/module.hpp"

namespace troupe::nn {

/// Layers one after the other:
///
///     nn::sequential net{nn::dense(128, relu), nn::dropout(0.5), nn::dense(10)};
class sequential {
 public:
  sequential() = default;
  template <layer... L>
  requires(sizeof...(L) > 0 && !(std::same_as<std::decay_t<L>, sequential> && ...))
      sequential(L&&... layers) {
    layers_.reserve(sizeof...(L));
    (layers_.emplace_back(std::forward<L>(layers)), ...);
  }

  void add(module m) { layers_.push_back(std::move(m)); }
  std::size_t size() const noexcept { return layers_.size(); }
  /// Throws if there is no such layer.
  module& operator[](std::size_t i) { return layers_.at(i); }

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    tensor y = x;
    for (const auto& l : layers_) y = l(y, where);
    return y;
  }
  void visit(visitor& to) { nn::visit(layers_, to); }

 private:
  std::vector<module> layers_;
};

}  // namespace troupe::nn
