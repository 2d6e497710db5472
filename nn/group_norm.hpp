// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/layer_norm.hpp"

namespace troupe::nn {

struct group_norm_options {
  double epsilon = 1e-5;  ///< added to the variance
  bool affine = true;     ///< if true, there are a weight and a bias
};

/// Group normalisation: (x - mean) / sqrt(variance + epsilon) * weight + bias for x [n, channels,
/// ...], with statistics over each of `groups` groups of channels of a sample, the same in training
/// and evaluation. One group is a layer norm of the sample, as many groups as channels an instance
/// norm. Wu and He 2018.
///
/// Weight and bias are [channels]; the number is learnt at the first call. Throws for fewer than
/// one group or a negative epsilon; later for fewer than 2 axes, a dtype that is not
/// floating-point, channels that are no multiple of the groups, or other ones than before.
class group_norm {
 public:
  explicit group_norm(std::int64_t groups, group_norm_options options = {},
                      caller where = caller::current());

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) {
    if (affine_) each("weight", weight, "bias", bias);
  }

  parameter weight, bias;

 private:
  std::int64_t groups_;
  bool affine_;
  layer_norm of_group_;
};

}  // namespace troupe::nn
