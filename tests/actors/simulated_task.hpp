// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "troupe/tasks/operation.hpp"
#include "troupe/tasks/shared_run.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tests/actors/random_graph.hpp"

namespace troupe::testing {

/// Object that counts itself while it exists: in a task's attributes, it counts tasks.
class living {
 public:
  explicit living(int& count) noexcept : count_(&count) { ++count; }
  living(living&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
  ~living() {
    if (count_) --*count_;
  }

 private:
  int* count_;
};

struct simulated_attributes {
  living alive;
  std::uint64_t number;
  std::int64_t chunks;
  int* runs;  ///< number of chunks that ran
  bool fails;
};

inline void run_simulated(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const auto& given = *static_cast<const simulated_attributes*>(args.attributes);
  *given.runs += static_cast<int>(last - first);
  if (first > 0) return;
  if (given.fails) throw std::runtime_error("meant to fail");
  std::vector<std::int64_t> inputs;
  for (const auto& in : args.inputs) inputs.push_back(in.as<std::int64_t>()[0]);
  for (const auto& out : args.outputs)
    out.as<std::int64_t>()[0] = random_graph::mix(given.number, inputs);
}

inline std::int64_t simulated_chunks(const kernel_args& args) {
  return static_cast<const simulated_attributes*>(args.attributes)->chunks;
}

inline const kernel simulated_kernel{.run = run_simulated};
inline const kernel simulated_shared_kernel{.run = run_simulated, .chunks = simulated_chunks};
inline const operation simulated_operation{
    .name = "simulated", .doc = "For tests.", .users_own = true};

/// Returns a value of int64 elements that ordering number `home` computes.
inline value_ref make_value(int home, std::uint64_t sequence, std::int64_t elements = 1) {
  value_ref v(new value({{elements}, int64, cpu()}));
  v->home = static_cast<std::int16_t>(home);
  v->sequence = sequence;
  return v;
}

inline void read(task& t, const value_ref& v) {
  auto& in = t.inputs.emplace_back();
  in.source = v;
  in.element = v->element;
}

/// Returns task number `number` (from 0) of ordering 0, without inputs and outputs. `runs` counts
/// the chunks that ran.
inline task_ptr make_task(std::uint64_t number, float estimate, int& alive, int& runs,
                          std::int64_t chunks = 0, bool fails = false) {
  auto t = std::make_unique<task>(simulated_operation, cpu(), std::source_location::current());
  t->attributes = simulated_attributes{living(alive), number, chunks, &runs, fails};
  t->kernel = chunks > 0 ? &simulated_shared_kernel : &simulated_kernel;
  t->estimate = estimate;
  t->sequence = number + 1;
  return t;
}

}  // namespace troupe::testing
