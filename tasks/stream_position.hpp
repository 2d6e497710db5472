// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "troupe/devices/driver.hpp"

namespace troupe {

/// Position on a GPU's stream at which a value is computed: for other streams that use the value
/// before the host knows that it is ready.
struct stream_position {
  std::shared_ptr<const event> behind;  ///< event behind the task that computes it
  void* data = nullptr;                 ///< address of its elements
  buffer left;                          ///< its memory if it fails: a stream may still read that
};

}  // namespace troupe
