// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace troupe::cuda {

/// Loads a library of the CUDA toolkit from where the system finds it, or from its location at
/// build time; returns null, with the reason in dlerror(), if it is in neither place.
void* open_toolkit_library(const std::string& file);

}  // namespace troupe::cuda
