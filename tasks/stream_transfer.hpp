// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

/// Position on a GPU's stream at which a value is computed: for other streams that use the value
/// before the host knows that it is ready.
struct stream_position {
  std::shared_ptr<const event> behind;  ///< event behind the task that computes it
  void* data = nullptr;                 ///< address of its elements
  buffer left;                          ///< its memory if it fails: a stream may still read that
};

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
