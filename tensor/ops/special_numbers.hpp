// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// bool: whether it is infinity.
tensor isposinf(const tensor& x, caller where = caller::current());
/// bool: whether it is minus infinity.
tensor isneginf(const tensor& x, caller where = caller::current());
/// Other numbers in place of NaN, infinity and minus infinity: 0, and the greatest and the least
/// number of the dtype unless others are given. Integers and bool stay as they are. Gradients flow
/// through the numbers that stay.
tensor nan_to_num(const tensor& x, double nan = 0, std::optional<double> posinf = {},
                  std::optional<double> neginf = {}, caller where = caller::current());

}  // namespace troupe
