// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "troupe/devices/driver.hpp"

namespace troupe {

/// Where on a GPU's stream a value is computed: for streams that go on with it before the host
/// knows that it is there.
struct stream_position {
  std::shared_ptr<const event> behind;  ///< the task that computes it
  void* data = nullptr;                 ///< where its elements will be
  buffer left;                          ///< its memory if it fails: a stream may still read that
};

}  // namespace troupe
