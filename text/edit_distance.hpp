// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace troupe {

/// Counts the letters that have to be changed, added, left out or swapped with their neighbour to
/// make one word of another. Takes time in proportion to the product of their lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace troupe
