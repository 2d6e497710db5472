// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <caf/type_erased_tuple.hpp>

namespace troupe {

/// The name of the operation of a task, by its number.
using operation_of = std::function<std::string_view(std::uint64_t sequence)>;

/// What a message says, in one line: "run_tasks: matmul #1, exp #2". To be called before anybody
/// takes the tasks out of it, and where nobody runs them.
std::string message_text(const caf::type_erased_tuple& message, const operation_of& name);

}  // namespace troupe
