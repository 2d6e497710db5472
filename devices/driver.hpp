// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/devices/device.hpp"
#include "troupe/devices/kernel.hpp"
#include "troupe/devices/memory.hpp"

namespace troupe {

class element_expression;
struct kernel_table;
class stream_kernel;
class task_stream;

/// A point in a stream's work. Where the device has failed, asking for it throws a std::exception
/// that says how.
class event {
 public:
  virtual ~event() = default;
  virtual bool reached() const = 0;
  /// Blocks the calling thread until it is reached.
  virtual void wait() const = 0;
  /// Calls `tell` once, on any thread, perhaps this one, when it is reached or the device has
  /// failed. Returns false if nobody will: then somebody has to wait.
  virtual bool notify(const std::function<void()>& /*tell*/) const { return false; }
  /// Seconds from another point of the same stream to this one, both reached; negative where no
  /// clock tells.
  virtual double seconds_since(const event& /*earlier*/) const { return -1; }
};

/// Work that a device does in order. Nothing here waits for the work itself.
class stream {
 public:
  virtual ~stream() = default;
  /// Copies between memories that this device can reach: its own, another device's, the host's.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  /// A point behind everything put on the stream so far.
  virtual std::unique_ptr<event> record() = 0;
  /// Makes everything put on the stream from now on wait for a point of another stream.
  virtual void wait(const event& point) = 0;
  /// Puts a kernel's work on the stream; tools that watch the device show it by its name.
  virtual void launch(const kernel& what, const kernel_args& args, std::string_view name) {
    (void)name;
    what.launch(args, *this);
  }
  /// The stream in the device's own interface, such as a cudaStream_t; null where it has
  /// none.
  virtual void* handle() noexcept { return nullptr; }
  /// The same stream if it takes whole tasks instead of kernels, as on other machines; else null.
  virtual task_stream* for_tasks() noexcept { return nullptr; }
};

/// A device, as the engine uses it.
class driver {
 public:
  virtual ~driver() = default;
  virtual device id() const = 0;
  /// One line for people: model, cores or memory.
  virtual std::string description() const = 0;
  virtual const std::shared_ptr<troupe::memory>& memory() const = 0;
  /// Memory that the host reads and writes, and the device as well.
  virtual const std::shared_ptr<troupe::memory>& shared_memory() const { return memory(); }
  /// Bytes that may be held in its memory at a time; 0: what the runtime's options say.
  virtual std::size_t memory_limit() const { return 0; }
  /// The kernels that it computes with.
  virtual const kernel_table& kernels() const = 0;
  virtual std::unique_ptr<stream> open_stream() = 0;
  /// Returns the address of the node that it was brought in by, if that is lost and no longer what
  /// it runs on; else nothing.
  virtual std::string lost_node() const { return {}; }
  /// Returns true if it is on another machine whose program has registered code under this name.
  virtual bool runs(std::string_view /*operation*/) const { return false; }
  /// Returns an expression compiled for its streams; null where it has no compiler, or that
  /// refuses.
  virtual std::shared_ptr<const stream_kernel> compile(const element_expression&) {
    return nullptr;
  }
  /// The number of tasks that it runs at the same time.
  virtual int lanes() const = 0;
  /// Makes the calling thread one that works for this device (its cores, its context): one of its
  /// lanes, counted from 0, or another.
  virtual void enter(int lane) noexcept = 0;
  static constexpr int no_lane = -1;
};

using drivers = std::vector<std::shared_ptr<driver>>;

}  // namespace troupe
