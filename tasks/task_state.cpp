// SPDX-License-Identifier: MIT
#include "troupe/tasks/task_state.hpp"

namespace troupe {

std::string_view to_string(task_state::status s) noexcept {
  constexpr std::string_view texts[] = {"waiting",   "ready", "early",
                                        "no memory", "sent",  "running"};
  return texts[static_cast<std::size_t>(s)];
}

}  // namespace troupe
