// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Log of the tasks that this thread submits while it lives.
class task_log {
 public:
  struct entry {
    const operation* op;
    std::vector<value_ref> outputs;
  };

  task_log() noexcept : before_(active_) { active_ = this; }
  task_log(const task_log&) = delete;
  task_log& operator=(const task_log&) = delete;
  ~task_log() { active_ = before_; }

  static bool active() noexcept { return active_ != nullptr; }
  static void note(const task& t) {
    if (active_) active_->entries_.push_back({t.op, {t.outputs.begin(), t.outputs.end()}});
  }
  const std::vector<entry>& entries() const noexcept { return entries_; }

 private:
  static inline thread_local constinit task_log* active_ = nullptr;

  task_log* before_;
  std::vector<entry> entries_;
};

}  // namespace troupe
