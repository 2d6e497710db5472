// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace troupe::shell {

/// In a text of several lines, the position in the line above or below that is as far from its
/// beginning; nothing on the first or last line.
std::optional<std::size_t> position_above(std::wstring_view text, std::size_t position);
std::optional<std::size_t> position_below(std::wstring_view text, std::size_t position);

}  // namespace troupe::shell
