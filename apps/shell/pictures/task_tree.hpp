// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "troupe/apps/shell/pictures/task_graph.hpp"

namespace troupe::shell {

/// Draws a graph as a tree for a terminal of so many columns, 40 lines at most. What was drawn
/// already is only named again. Where the columns are used up, one task after the other that has
/// one input stand below each other.
std::string draw_tree(const task_graph& g, int width);

}  // namespace troupe::shell
