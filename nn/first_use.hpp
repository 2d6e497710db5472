// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/variable.hpp"

/// What layers do when they are called.

namespace troupe::nn {

/// Throws, naming the layer, unless x has an array of floats with at least so many axes.
void check_layer_input(std::string_view layer, const tensor& x, int axes, caller where);

/// Gives a variable that has no array yet its first one, of x's dtype and on x's device. It is not
/// recorded.
void first_use(const variable& v, const initialiser& first, const shape& sizes, const tensor& x,
               caller where);
/// The same with a dtype of its own.
void first_use(const variable& v, const initialiser& first, const shape& sizes, const tensor& x,
               dtype element, caller where);

}  // namespace troupe::nn
