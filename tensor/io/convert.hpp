// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/array.hpp"

namespace troupe {

/// Writes the elements of an array with any strides to `to`, in row-major order and as another
/// dtype, on this thread.
void convert(const array& from, void* to, dtype as);

}  // namespace troupe
