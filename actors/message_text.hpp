// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <caf/type_erased_tuple.hpp>

namespace troupe {

/// Function that returns the name of a task's operation, by sequence number.
using operation_of = std::function<std::string_view(std::uint64_t sequence)>;

/// Returns one line that describes a message: "run_tasks: matmul #1, exp #2". Call it before its
/// receiver takes the tasks out of it, and while none of them runs.
std::string message_text(const caf::type_erased_tuple& message, const operation_of& name);

}  // namespace troupe
