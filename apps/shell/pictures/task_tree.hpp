// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "troupe/apps/shell/pictures/task_graph.hpp"

namespace troupe::shell {

/// Draws a graph as a tree for a terminal of that many columns, 40 lines at most. A task that was
/// drawn already is only named again. Where the columns are used up, a chain of tasks with one
/// input each stands in one column.
std::string draw_tree(const task_graph& g, int width);

}  // namespace troupe::shell
