// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/random_graph.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

// Cost of a task to the engine when it has nothing to do: an operation whose kernel is empty,
// launched as the library's own operations are, so that no shape or type rules are paid for. Its
// result is one number, which lies in the value itself and takes no memory.
constexpr kernel empty_kernel{.run = [](const kernel_args&, std::int64_t, std::int64_t) {}};

constexpr operation empty_record(bool at_once) {
  return {.name = "empty",
          .doc = "Does nothing.",
          .kernel = [](const task&, const kernel_table&) { return &empty_kernel; },
          .cost = [](const task&) { return work{}; },
          .users_own = true,
          .at_once = at_once,
          .gradient = differentiability::none};
}

template <bool AtOnce>
constexpr operation empty_operation = empty_record(AtOnce);

tensor empty_task(engine& e, const operation& op, const tensor& a, const tensor& b) {
  auto t = std::make_unique<task>(op, cpu(), caller::current());
  add_input(*t, a);
  add_input(*t, b);
  return launch(e, std::move(t), tensor_type{});
}

// Values never change, so writing a variable is naming a new value: only reads order the tasks.
template <bool AtOnce>
measurement random_tasks(runtime& rt, int count) {
  const std::vector<tensor> start(graph_variables, zeros({}));
  rt.wait_all();
  return [&rt, start, graph = random_graph(count)] {
    auto variables = start;
    return seconds_of([&] {
      for (const auto& t : graph)
        variables[static_cast<std::size_t>(t.write)] = empty_task(
            rt.engine(), empty_operation<AtOnce>, variables[static_cast<std::size_t>(t.reads[0])],
            variables[static_cast<std::size_t>(t.reads[1])]);
      rt.wait_all();
    });
  };
}

constexpr bench_case task_graph_cases[] = {
    {.name = "task_graph",
     .title = "random graph of 100,000 empty tasks, 10,000 variables",
     .count = 100'000,
     .in_a_row = 5,
     .shown = figure::rate,
     .ours = random_tasks<true>,
     .aim = {target::below, 100'000 / 2.6e6},
     .peer = "bench-taskflow",
     .remark = "1.5 times MXNet's published 1.75 M/s"},
    {.name = "task_graph_users",
     .title = "the same of code that may wait, which lanes alone run",
     .count = 100'000,
     .in_a_row = 5,
     .shown = figure::rate,
     .ours = random_tasks<false>,
     .aim = {target::below, 100'000 / 2.6e6},
     .peer = "bench-taskflow"},
    {.name = "task_graph_tbb",
     .title = "the same beside a flow graph, built and run",
     .count = 100'000,
     .in_a_row = 5,
     .shown = figure::rate,
     .ours = random_tasks<false>,
     .peer = "bench-tbb",
     .synchronous = false},
};

}  // namespace

const std::span<const bench_case> task_graphs = task_graph_cases;

}  // namespace troupe::bench
