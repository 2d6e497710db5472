// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/tensor/program/graph.hpp"

namespace troupe {

/// Returns a device as the shell's language names it: "cpu(0, 1)".
std::string place_text(device d);

/// Returns a step as a call in the shell's language: "sum(v1, axis=[0])". `names` has the name of
/// each value of the graph. Throws troupe::error for steps that mean something in this process
/// only.
std::string step_text(const graph& of, const program_step& s,
                      const std::vector<std::string>& names);

}  // namespace troupe
