// SPDX-License-Identifier: MIT
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/version.h>

#include <deque>
#include <vector>

#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/random_graph.hpp"
#include "troupe/apps/bench/timing.hpp"

namespace {

using namespace oneapi::tbb::flow;
using node = continue_node<continue_msg>;

// The whole graph is built, then run once. Only reads order the tasks.
double random_tasks(int count) {
  using namespace troupe::bench;
  const auto tasks = random_graph(count);
  return seconds_of([&] {
    graph g;
    std::deque<node> nodes;
    std::vector<node*> last_writer(graph_variables), first;
    for (const auto& t : tasks) {
      auto& task = nodes.emplace_back(g, [](const continue_msg&) {});
      bool waits = false;
      for (const auto variable : t.reads) {
        if (auto* const writer = last_writer[static_cast<std::size_t>(variable)]) {
          make_edge(*writer, task);
          waits = true;
        }
      }
      if (!waits) first.push_back(&task);
      last_writer[static_cast<std::size_t>(t.write)] = &task;
    }
    for (auto* const task : first) task->try_put(continue_msg());
    g.wait_for_all();
  });
}

constexpr troupe::bench::peer_case cases[] = {{"task_graph_tbb", random_tasks}};

}  // namespace

int main() {
  const auto threads = std::to_string(oneapi::tbb::info::default_concurrency());
  return troupe::bench::serve(
      std::string("oneTBB ") + TBB_runtime_version() + ", flow graph, " + threads + " threads",
      cases);
}
