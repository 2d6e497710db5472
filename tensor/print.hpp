// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Returns the text that `std::cout << x` prints: the numbers laid out as by NumPy's str(), then
/// dtype, shape and device: `[[3. 3.]]  float32[1,2] on cpu:0`. A sync point. Of more than 1000
/// elements, only the first and last three along each axis are shown.
std::string to_string(const tensor& x, caller where = caller::current());

/// Returns the numbers alone.
std::string numbers_text(const tensor& x, caller where = caller::current());

}  // namespace troupe
