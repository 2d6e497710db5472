// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/variable.hpp"

/// Functions that layers call when they are used.

namespace troupe::nn {

/// Throws, naming the layer, unless x is a floating-point array with at least `axes` axes.
void check_layer_input(std::string_view layer, const tensor& x, int axes, caller where);

/// Gives a variable without an array its first one, of x's dtype and on x's device. It is not
/// recorded.
void first_use(const variable& v, const initialiser& first, const shape& sizes, const tensor& x,
               caller where);
/// Does the same with a given dtype.
void first_use(const variable& v, const initialiser& first, const shape& sizes, const tensor& x,
               dtype element, caller where);

}  // namespace troupe::nn
