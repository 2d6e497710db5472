// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

/// The same elements with their axes in another order, without a copy.

namespace troupe {

/// The axes in reverse order.
tensor transpose(const tensor& x, caller where = caller::current());
/// Axis i of the result is axis order[i] of `x`. Throws unless every axis is named once.
tensor transpose(const tensor& x, std::span<const int> order, caller where = caller::current());
inline tensor transpose(const tensor& x, std::initializer_list<int> order,
                        caller where = caller::current()) {
  return transpose(x, std::span(order.begin(), order.size()), where);
}
/// With two axes exchanged.
tensor swapaxes(const tensor& x, int a, int b, caller where = caller::current());
/// With one axis moved to another place; the others keep their order.
tensor moveaxis(const tensor& x, int from, int to, caller where = caller::current());

}  // namespace troupe
