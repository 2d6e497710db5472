// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

/// Time span in which something ran.
struct interval {
  ticks since = now();
  ticks until = since;
};

/// Transfers a value that a GPU may still be computing, on another stream of that GPU: makes the
/// stream copy once the GPU has reached the value's point, and waits until the copy is complete and
/// the value is known not to have failed. Returns when the copying began and ended; that end is
/// before any reader could see the copy.
interval stream_transfer(task& t, driver& to, stream& way) noexcept;

}  // namespace troupe
