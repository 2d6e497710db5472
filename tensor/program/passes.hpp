// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "troupe/tensor/program/program.hpp"

/// Changes of programs that keep every bit of their results.

namespace troupe {

/// Removes the steps of which nobody needs a result. Returns their number.
std::size_t remove_dead_steps(program& of);

/// Joins elementwise steps on large arrays of one shape into steps that go through memory once.
/// Returns a line for each group: what it joins, and from which lines of the user's.
std::vector<std::string> fuse_elementwise(program& of);

/// Makes a single step of a program whose steps together take no longer than is worth dividing.
/// Returns false if it is not like that.
bool pack(program& of);

}  // namespace troupe
