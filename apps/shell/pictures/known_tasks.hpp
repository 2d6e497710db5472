// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/tasks/task_state.hpp"
#include "troupe/tasks/trace.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::shell {

class session;

/// Tasks known at one moment: those that ran, from the trace, and those that are pending.
class known_tasks {
 public:
  /// Collects the tasks. `asked` is an array whose failure counts, though no variable names it.
  known_tasks(session& s, const tensor& asked);

  /// Returns the tasks whose results a task reads, each once.
  const std::vector<std::uint64_t>& inputs(std::uint64_t sequence) const;
  /// Returns a task's name: "c = add", "matmul, input 3".
  std::string label(std::uint64_t sequence) const;
  /// Returns a task's progress: "ran 1.2 ms on cpu:0 lane 1", "queued, waits for a", "failed
  /// because of exp, input 3".
  std::string state(std::uint64_t sequence) const;

 private:
  /// Task as lanes have run it, or one that none has begun.
  struct entry {
    std::string_view operation;
    std::source_location call_site;
    std::vector<std::uint64_t> inputs;
    int lanes = 0;  ///< number of lanes that ran it
    int lane = 0;   ///< one of them
    ticks started = 0, ended = 0;
    bool failed = false;
  };
  /// Reason of a task's failure.
  struct cause {
    std::uint64_t sequence;  ///< of the task that failed first
    failure::reason why;
  };

  void add_pending(const std::vector<task_state>& tasks);
  void add_trace();
  void add_event(const task_event& e);
  void add_failure(const tensor& x);
  void pass_on_failures();
  bool has_vanished(const task_state& t) const;
  std::string failure_state(std::uint64_t sequence, const cause& c) const;

  session& session_;
  std::map<std::uint64_t, entry> tasks_;
  std::map<std::uint64_t, cause> failures_;
  std::vector<std::string> lanes_;  ///< their names
  std::vector<task_state> pending_;
};

}  // namespace troupe::shell
