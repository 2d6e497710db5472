// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/memory.hpp"

namespace troupe::testing {

struct counting_listener final : memory_listener {
  int told = 0;
  void freed() noexcept override { ++told; }
};

}  // namespace troupe::testing
