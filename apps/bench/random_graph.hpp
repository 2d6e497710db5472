// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <vector>

namespace troupe::bench {

/// Task of the graph: it reads the latest values of two variables and writes a third.
struct graph_task {
  int reads[2];
  int write;
};

inline constexpr int graph_variables = 10'000;

/// Returns the same tasks, in program order, for all programs that run them.
inline std::vector<graph_task> random_graph(int count) {
  std::minstd_rand random(1);
  const auto variable = [&] { return static_cast<int>(random() % graph_variables); };
  std::vector<graph_task> tasks(static_cast<std::size_t>(count));
  for (auto& t : tasks) {
    const auto first = variable();
    const auto step = 1 + static_cast<int>(random() % (graph_variables - 1));
    t = {{first, (first + step) % graph_variables}, variable()};
  }
  return tasks;
}

}  // namespace troupe::bench
