// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/toolkit_library.hpp"

#include <dlfcn.h>

namespace troupe::cuda {

void* open_toolkit_library(const std::string& file) {
  if (void* const found = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return found;
  return dlopen((TROUPE_CUDA_LIBRARIES "/" + file).c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace troupe::cuda
