// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <source_location>
#include <string_view>
#include <vector>

#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/tensor_type.hpp"

namespace troupe {

/// A task that was submitted and has not ended, as it was when an engine was asked.
struct task_state {
  enum class status : std::uint8_t {
    waiting,    ///< for results that are not there yet
    ready,      ///< all inputs are there; it waits for a lane with room
    early,      ///< ready, but held back: nobody could use its result yet
    no_memory,  ///< ready, but there is no memory for its result now
    sent,       ///< on a lane, behind others
    running
  };

  std::string_view name;       ///< of the operation
  std::uint64_t sequence = 0;  ///< program order, from 1
  troupe::device device;
  int lane = -1;  ///< counted as in the trace; -1: on none yet
  std::source_location call_site;
  ticks submitted = 0;
  float estimate = 0;  ///< nanoseconds on one lane
  std::vector<tensor_type> outputs;
  status state = status::waiting;
  std::vector<std::uint64_t>
      waits_for;  ///< the tasks, on any device, that compute inputs which are not there yet
};

/// "no memory".
std::string_view to_string(task_state::status s) noexcept;

}  // namespace troupe
