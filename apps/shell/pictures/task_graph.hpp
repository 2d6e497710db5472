// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "troupe/tensor/program/program.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::shell {

class session;

/// A task and the tasks whose results it reads.
struct graph_node {
  std::string label;  ///< "c = add", "matmul, input 3"
  std::string state;  ///< "ran 1.2 ms on cpu:0 lane 1", "queued, waits for a"
  std::vector<std::uint64_t> inputs;
};

/// Graph of the tasks that a result depends on, as far as the trace reaches back.
struct task_graph {
  std::uint64_t target = 0;
  std::map<std::uint64_t, graph_node> nodes;  ///< by sequence number; of a large graph some
  std::size_t tasks = 0;                      ///< number of all, those without a node included
};

/// Returns the graph behind an array.
task_graph graph_of(session& s, const tensor& x);

/// Returns the graph of the statements of a program.
task_graph graph_of(const program& p);

/// Writes a graph in Graphviz's language.
std::string to_dot(const task_graph& g);
/// Draws a graph as SVG, with tasks arranged by their distance from the inputs.
std::string to_svg(const task_graph& g);

/// Draws a graph as a tree for a terminal of that many columns, 40 lines at most. A task that was
/// drawn already is only named again. Where the columns are used up, a chain of tasks with one
/// input each stands in one column.
std::string draw_tree(const task_graph& g, int width);

}  // namespace troupe::shell
