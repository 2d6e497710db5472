// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/module.hpp"

namespace troupe::nn {

struct batch_norm_options {
  double momentum = 0.1;  ///< weight of a batch in the running statistics
  double epsilon = 1e-5;  ///< added to the variance
  bool affine = true;     ///< if true, there are a weight and a bias
};

/// Batch normalisation: (x - mean) / sqrt(variance + epsilon) * weight + bias for each channel,
/// axis 1 of x [n, channels, ...], with statistics over all other axes. Training uses those of the
/// batch; evaluation uses those gathered in training, running = (1 - momentum) * running + momentum
/// * batch, with the unbiased variance. Ioffe and Szegedy 2015.
///
/// Weight, bias, running_mean and running_var are [channels]; the number is learnt at the first
/// call. Gathering statistics is not recorded and waits for nothing. Throws for a momentum outside
/// [0, 1] or a negative epsilon; later for fewer than 2 axes, a dtype that is not floating-point,
/// another number of channels than before, or in training a batch with fewer than 2 values per
/// channel.
class batch_norm {
 public:
  explicit batch_norm(batch_norm_options options = {}, caller where = caller::current());

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) {
    if (options_.affine) each("weight", weight, "bias", bias);
    each("running_mean", running_mean, "running_var", running_var, "mode", mode_);
  }

  parameter weight, bias;
  variable running_mean, running_var;

  /// Statistics of each channel, as [1, channels, 1, ...].
  struct statistics {
    tensor mean, variance;
  };

 private:
  void initialise(const tensor& x, caller where) const;
  tensor of_batch(const tensor& x, caller where) const;
  tensor of_running(const tensor& x, caller where) const;
  void gather(const statistics& batch, std::int64_t count, caller where) const;

  batch_norm_options options_;
  mode mode_;
};

}  // namespace troupe::nn
