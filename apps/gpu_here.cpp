// SPDX-License-Identifier: MIT
#include "troupe/apps/gpu_here.hpp"

#include "troupe/actors/runtime.hpp"

namespace troupe {

std::string gpu_here() {
  const runtime rt({.lanes = 1});
  for (const auto& one : rt.devices()) {
    if (one->id() == gpu(0)) return one->description();
  }
  return {};
}

}  // namespace troupe
