// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <caf/event_based_actor.hpp>

#include "troupe/actors/messages.hpp"

namespace troupe::testing {

/// Messages received by a test's stand-ins.
struct record {
  std::vector<std::string> lines;  ///< "lane 0: run 1 2", in order of arrival
  std::vector<task_ptr> tasks;     ///< tasks in the messages

  /// Returns the lines since the last call.
  std::vector<std::string> take() { return std::exchange(lines, {}); }
};

/// Stand-in for a lane, a dependency actor or the frontend: records its messages and does nothing
/// else.
class recorder final : public caf::event_based_actor {
 public:
  recorder(caf::actor_config& config, std::string name, std::shared_ptr<record> to)
      : caf::event_based_actor(config), name_(std::move(name)), to_(std::move(to)) {}

  caf::behavior make_behavior() override {
    return {
        [this](run_tasks& m) { note("run", m.tasks->take()); },
        [this](order_tasks& m) { note("order", m.tasks); },
        [this](help_run& m) { write("help with " + std::to_string(m.plan->runs.size())); },
        [this](const watch& m) { write("watch " + std::to_string(m.value->sequence)); },
        [this](const value_resolved& m) { write("resolved " + std::to_string(m.value->sequence)); },
        [this](const await_values& m) {
          std::string line = "await";
          for (const auto& v : m.values) line += " " + std::to_string(v->sequence);
          write(line);
        },
        [](const drop_tasks&) {},
        [this](cancel_tasks) { write("cancel"); },
        [this](const progress& m) {
          std::string line = "ended";
          for (auto [epoch, count] : m.ended)
            line += " " + std::to_string(count) + " of epoch " + std::to_string(epoch);
          if (!m.failures.empty()) line += ", failed " + std::to_string(m.failures.size());
          write(line);
        },
    };
  }

 private:
  void note(std::string line, const batch_ref& tasks) {
    while (auto t = tasks->pop_front()) {
      line += " " + std::to_string(t->sequence);
      to_->tasks.push_back(std::move(t));
    }
    write(line);
  }
  void write(const std::string& line) { to_->lines.push_back(name_ + ": " + line); }

  std::string name_;
  std::shared_ptr<record> to_;
};

}  // namespace troupe::testing
