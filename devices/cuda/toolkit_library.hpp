// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace troupe::cuda {

/// Loads one of the CUDA toolkit's libraries from where the system finds it, or from where it was
/// when this was built; null, with dlerror() saying why, if it is in neither place.
void* open_toolkit_library(const std::string& file);

}  // namespace troupe::cuda
