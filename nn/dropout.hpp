// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/module.hpp"

namespace troupe::nn {

/// Dropout layer. In training, sets each element to 0 with probability `rate` and divides the
/// others by 1 - rate, so that their mean stays ("inverted dropout", Srivastava et al. 2014); in
/// evaluation, the identity. The elements are drawn anew at every call, from the engine's random
/// numbers. Throws for a rate outside [0, 1] or an x that is not floating-point.
class dropout {
 public:
  explicit dropout(double rate = 0.5, caller where = caller::current());

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) { each("mode", mode_); }

 private:
  double rate_;
  mode mode_;
};

}  // namespace troupe::nn
