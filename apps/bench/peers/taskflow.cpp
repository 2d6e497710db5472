// SPDX-License-Identifier: MIT
#include <taskflow/taskflow.hpp>

#include <vector>

#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/random_graph.hpp"
#include "troupe/apps/bench/timing.hpp"

namespace {

tf::Executor& executor() {
  static tf::Executor all_cores;
  return all_cores;
}

// As with values that never change, only reads order the tasks; the edges are worked out while the
// tasks are submitted.
double random_tasks(int count) {
  using namespace troupe::bench;
  const auto graph = random_graph(count);
  std::vector<tf::AsyncTask> last_writer(graph_variables);
  return seconds_of([&] {
    std::vector<tf::AsyncTask> before;
    for (const auto& t : graph) {
      before.clear();
      for (const auto variable : t.reads) {
        const auto& writer = last_writer[static_cast<std::size_t>(variable)];
        if (!writer.empty()) before.push_back(writer);
      }
      last_writer[static_cast<std::size_t>(t.write)] =
          executor().silent_dependent_async([] {}, before.begin(), before.end());
    }
    executor().wait_for_all();
  });
}

constexpr troupe::bench::peer_case cases[] = {{"task_graph", random_tasks},
                                              {"task_graph_users", random_tasks}};

}  // namespace

int main() {
  const auto workers = std::to_string(executor().num_workers());
  return troupe::bench::serve(
      std::string("Taskflow ") + tf::version() + ", dependent async, " + workers + " workers",
      cases);
}
