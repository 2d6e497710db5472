// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/elementwise.hpp"
#include "troupe/devices/kernel.hpp"
#include "troupe/devices/update.hpp"

namespace troupe {

/// The choice of a device that has no kernels of a family.
template <class... Choice>
const kernel* no_kernel(Choice...) noexcept {
  return nullptr;
}

/// The kernels of a device: for each row of kernel_families.def, which says what they do, a
/// function that chooses one, or answers null for what the device refuses.
struct kernel_table {
#define TROUPE_KERNEL_FAMILY(name, ...) const kernel* (*name)(__VA_ARGS__) noexcept = no_kernel;
#include "troupe/devices/kernel_families.def"
};

}  // namespace troupe
