// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

/// When something ran.
struct interval {
  ticks since = now();
  ticks until = since;
};

/// Runs a transfer of a value that a GPU may still be at, on another stream of that GPU: has the
/// stream copy when the GPU has got to the value's point, and waits until the copy is there and the
/// value is known not to have failed. Says when the copying began, and when it ended: before
/// anybody could see that.
interval stream_transfer(task& t, driver& to, stream& way) noexcept;

}  // namespace troupe
