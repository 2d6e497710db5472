// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/tensor/program/graph.hpp"

namespace troupe {

/// Returns the names of a graph's values in its text: arguments x0, x1, ..., places w0, ...,
/// constants c0, ..., and what steps compute v0, ...
std::vector<std::string> value_names(const graph& of);

/// Returns the name of one of a graph's counters: n0, ...
std::string counter_name(std::size_t number);

/// Returns a graph in the shell's language, a line for each step:
///
///     variable w0: float32[64, 10]
///     def program(x0: float32[32, 64]) {
///       v0 = matmul(x0, w0)
///       relu(v0)
///     }
///
/// Throws troupe::error for steps that mean something in this process only, with their line.
std::string graph_text(const graph& of);

}  // namespace troupe
