// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/module.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::nn {

/// Elementwise function such as relu, sigmoid or tanh; null for none.
using activation = tensor (*)(const tensor& x, caller where);

struct dense_options {
  bool bias = true;
  initialiser weight = init::lecun_uniform();
  initialiser first_bias = init::constant(0);
};

/// Fully connected layer: activation(x @ weight + bias) along the last axis of x [..., inputs]
/// gives [..., units]. weight is [inputs, units]; the number of inputs is learnt at the first call,
/// and the parameters have x's dtype and device. The product and the bias, and relu if that is the
/// activation, are one task. Throws if x has another size later, no axis or is not floating-point.
class dense {
 public:
  explicit dense(std::int64_t units, activation then = nullptr, dense_options options = {},
                 caller where = caller::current());
  dense(std::int64_t units, dense_options options, caller where = caller::current())
      : dense(units, nullptr, std::move(options), where) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) {
    if (options_.bias) each("weight", weight, "bias", bias);
    else each("weight", weight);
  }

  parameter weight, bias;

 private:
  void initialise(const tensor& x, caller where) const;

  std::int64_t units_;
  activation then_;
  dense_options options_;
};

/// Layer that reshapes [n, ...] to [n, everything else], as dense layers take images. A view if
/// possible. Throws for an x without axes.
struct flatten {
  tensor operator()(const tensor& x, caller where = caller::current()) const;
};

}  // namespace troupe::nn
