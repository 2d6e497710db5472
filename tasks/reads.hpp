// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/tasks/value.hpp"

namespace troupe {

/// Count of the times that the calling thread has asked for a value newer than all that it asked
/// for before: what it submits between two of them is what it can run ahead of.
class reads {
 public:
  static void note(const value& v) noexcept { note(v.engine, v.sequence); }
  /// Notes that the thread asks for everything up to the task with this number.
  static void note(std::uint32_t engine, std::uint64_t sequence) noexcept {
    auto& self = here_;
    if (self.engine == engine && sequence <= self.newest) return;
    self = {self.count + 1, engine, sequence};
  }
  static std::uint32_t count() noexcept { return here_.count; }

 private:
  struct state {
    std::uint32_t count, engine;
    std::uint64_t newest;
  };
  static inline thread_local constinit state here_{};
};

}  // namespace troupe
