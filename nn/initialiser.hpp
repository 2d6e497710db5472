// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "troupe/tensor/tensor.hpp"
#include "troupe/tensor/tensor_options.hpp"

namespace troupe::nn {

/// What the first numbers of a weight are. A shape's last axis counts outputs, the one before it
/// inputs; of four axes, as conv2d has them, the first counts outputs and the others make up an
/// input ("fan out" and "fan in").
using initialiser =
    std::function<tensor(const shape& sizes, const tensor_options& options, caller where)>;

/// The inputs and outputs of a weight.
struct fan {
  std::int64_t in, out;
};
fan fan_of(const shape& sizes) noexcept;

namespace init {

/// Always the same number.
initialiser constant(double number);
initialiser uniform(double low, double high);
initialiser normal(double mean = 0, double standard_deviation = 1);
/// Uniform in +-sqrt(6 / (in + out)): keeps the variance through tanh and sigmoid. Glorot and
/// Bengio 2010, "Xavier".
initialiser glorot_uniform();
initialiser glorot_normal();
/// Uniform in +-sqrt(6 / in): keeps the variance through relu. He et al. 2015, "Kaiming".
initialiser he_uniform();
initialiser he_normal();
/// Uniform in +-1 / sqrt(in): what PyTorch's layers begin with. LeCun et al. 1998.
initialiser lecun_uniform();

}  // namespace init

}  // namespace troupe::nn
