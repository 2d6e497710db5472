// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string_view>

#include "troupe/nn/variable.hpp"
#include "troupe/tensor/tensor.hpp"
#include "troupe/tensor/tensor_options.hpp"

namespace troupe::nn {

/// Function that creates the initial numbers of a weight. A shape's last axis counts outputs, the
/// one before it inputs; of four axes, as in conv2d, the first counts outputs and the others make
/// up an input ("fan out" and "fan in").
using initialiser =
    std::function<tensor(const shape& sizes, const tensor_options& options, caller where)>;

/// Numbers of inputs and outputs of a weight.
struct fan {
  std::int64_t in, out;
};
fan fan_of(const shape& sizes) noexcept;

namespace init {

/// Returns an initialiser that gives the same number everywhere.
initialiser constant(double number);
initialiser uniform(double low, double high);
initialiser normal(double mean = 0, double standard_deviation = 1);
/// Returns an initialiser uniform in +-sqrt(6 / (in + out)): preserves the variance through tanh
/// and sigmoid. Glorot and Bengio 2010, "Xavier".
initialiser glorot_uniform();
initialiser glorot_normal();
/// Returns an initialiser uniform in +-sqrt(6 / in): preserves the variance through relu. He et al.
/// 2015, "Kaiming".
initialiser he_uniform();
initialiser he_normal();
/// Returns an initialiser uniform in +-1 / sqrt(in), the default of PyTorch's layers. LeCun et al.
/// 1998.
initialiser lecun_uniform();

}  // namespace init

namespace detail {

/// Throws, naming the layer, unless x is a floating-point array with at least `axes` axes.
void check_layer_input(std::string_view layer, const tensor& x, int axes, caller where);

/// Gives a variable without an array its first one, of x's dtype and on x's device. It is not
/// recorded.
void first_use(const variable& v, const initialiser& first, const shape& sizes, const tensor& x,
               caller where);
/// Does the same with a given dtype.
void first_use(const variable& v, const initialiser& first, const shape& sizes, const tensor& x,
               dtype element, caller where);

/// Throws, naming the layer and its array, unless that has these sizes, but for one axis that is
/// learnt from x. Arrays may have been loaded before the first call.
void check_sizes(std::string_view layer, std::string_view name, const variable& v,
                 const shape& sizes, caller where, int learnt_axis = -1);

}  // namespace detail

}  // namespace troupe::nn
