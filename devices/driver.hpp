// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "troupe/devices/device.hpp"
#include "troupe/devices/memory.hpp"

namespace troupe {

/// A point in a stream's work.
class event {
 public:
  virtual ~event() = default;
  virtual bool reached() const = 0;
  /// Blocks the calling thread until it is reached.
  virtual void wait() const = 0;
};

/// Work that a device does in order. Nothing here waits for the work itself.
class stream {
 public:
  virtual ~stream() = default;
  /// Copies between memories that this device can reach: its own, another device's, the host's.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  /// A point behind everything put on the stream so far.
  virtual std::unique_ptr<event> record() = 0;
  /// Has everything put on the stream from now on wait for a point of another stream.
  virtual void wait(const event& point) = 0;
};

/// What the engine needs to know and have of a device.
class driver {
 public:
  virtual ~driver() = default;
  virtual device id() const = 0;
  /// One line for people: model, cores or memory.
  virtual std::string description() const = 0;
  virtual const std::shared_ptr<troupe::memory>& memory() const = 0;
  virtual std::unique_ptr<stream> open_stream() = 0;
  /// How many tasks it runs at the same time.
  virtual int lanes() const = 0;
  /// Makes the calling thread one that works for this device (its cores, its context): one of its lanes, counted
  /// from 0, or another.
  virtual void enter(int lane) = 0;
  static constexpr int no_lane = -1;
};

using drivers = std::vector<std::shared_ptr<driver>>;

}  // namespace troupe
