// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/onnx/graph_node.hpp"

namespace troupe {

/// Most positions that are added to an axis.
inline constexpr std::int64_t most_positions = 1'000'000'000;

/// Writes lines that put so many times a number before and behind each axis, and returns the name
/// of the result. `dims` are the sizes of `x`.
std::string padded(graph_node& n, std::string x, shape dims,
                   const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& behind,
                   const std::string& number, dtype element);

}  // namespace troupe
