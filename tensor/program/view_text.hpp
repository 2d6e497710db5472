// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "troupe/tasks/layout.hpp"

namespace troupe {

/// Returns "[2, 3]".
std::string list_text(std::span<const std::int64_t> numbers);

/// Returns an expression of the shell's language for a view of a whole value of shape `whole`,
/// which is named `name`: "x", "transpose(x, [1, 0])", "x[1:3, ::2]".
std::string view_text(std::string_view name, const shape& whole, const layout& view);

}  // namespace troupe
