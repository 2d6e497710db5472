// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "troupe/tensor/program/graph.hpp"

/// Changes of programs that keep every bit of their results.

namespace troupe {

/// Removes the steps of which nobody needs a result. Returns their number.
std::size_t remove_dead_steps(graph& of);

/// Joins elementwise steps on large arrays of one shape into steps that go through memory once.
/// Returns a line for each group: what it joins, and from which lines of the user's.
std::vector<std::string> fuse_elementwise(graph& of);

/// If all steps together take no longer than is worth dividing, makes single steps of those that
/// follow each other. Returns the number of steps that were joined.
std::size_t pack(graph& of);

}  // namespace troupe
