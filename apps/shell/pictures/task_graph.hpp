// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe::shell {

class session;

/// A task and the tasks whose results it reads.
struct graph_node {
  std::string label;  ///< "c = add", "matmul, input 3"
  std::string state;  ///< "ran 1.2 ms on cpu:0 lane 1", "queued, waits for a"
  std::vector<std::uint64_t> inputs;
};

/// What a result was and will be computed from, as far as the trace reaches back.
struct task_graph {
  std::uint64_t target = 0;
  std::map<std::uint64_t, graph_node> nodes;  ///< by sequence number; of a large graph some
  std::size_t tasks = 0;                      ///< how many there are, without a node too
};

/// The graph behind an array.
task_graph graph_of(session& s, const tensor& x);

/// In Graphviz's language.
std::string to_dot(const task_graph& g);
/// As a picture, arranged by how far tasks are from their inputs.
std::string to_svg(const task_graph& g);

}  // namespace troupe::shell
