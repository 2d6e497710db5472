// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include <string>

namespace troupe::cuda {

/// Loads a library from where the system finds it, or from a folder that was known at build time;
/// returns null, with the reason in dlerror(), if it is in neither place.
inline void* open_library(const std::string& file, const char* folder = nullptr) {
  void* const found = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (found || !folder) return found;
  return dlopen((folder + ('/' + file)).c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// Sets a pointer to a function of a library; returns false if the library has none of that name.
template <class F>
bool bind(void* library, F& function, const char* name) noexcept {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace troupe::cuda
