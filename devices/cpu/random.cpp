// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/creation_run.hpp"

namespace troupe::cpu_kernels {

const kernel* uniform_kernel(dtype type) noexcept {
  return creation_kernel<uniform_attributes, &creation_loops::uniform>(type);
}

const kernel* normal_kernel(dtype type) noexcept {
  return creation_kernel<normal_attributes, &creation_loops::normal>(type);
}

const kernel* randint_kernel(dtype type) noexcept {
  return creation_kernel<randint_attributes, &creation_loops::randint>(type);
}

}  // namespace troupe::cpu_kernels
