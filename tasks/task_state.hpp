// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <source_location>
#include <string_view>
#include <vector>

#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/tensor_type.hpp"

namespace troupe {

/// Snapshot of a task that was submitted and has not ended.
struct task_state {
  enum class status : std::uint8_t {
    waiting,    ///< for results that are still missing
    ready,      ///< all inputs are ready; it waits for a lane with room
    early,      ///< ready, but held back: no reader could use its result yet
    no_memory,  ///< ready, but there is no memory for its result
    sent,       ///< on a lane, behind others
    running
  };

  std::string_view name;       ///< name of the operation
  std::uint64_t sequence = 0;  ///< program order, from 1
  troupe::device device;
  int lane = -1;  ///< counted as in the trace; -1: none yet
  std::source_location call_site;
  ticks submitted = 0;
  std::int8_t priority = 0;  ///< of the scope of `with_priority` that it was submitted in
  float estimate = 0;        ///< nanoseconds on one lane
  std::vector<tensor_type> outputs;
  status state = status::waiting;
  /// Tasks, on any device, that compute missing inputs.
  std::vector<std::uint64_t> waits_for;
};

/// Returns text such as "no memory".
std::string_view to_string(task_state::status s) noexcept;

}  // namespace troupe
