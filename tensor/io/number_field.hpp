// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace troupe {

/// Why a text is no number of a type.
enum class number_problem { none, not_a_number, out_of_range };

/// Reads a number that is all of a text: for floats also `nan`, `inf`, `1e-5`, for bool 0, 1, true
/// and false. What is too small for a float becomes 0.
template <class T>
number_problem read_number(std::string_view text, T& out) noexcept;

}  // namespace troupe
