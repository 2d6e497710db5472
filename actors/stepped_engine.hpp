// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include "troupe/actors/actor_set.hpp"
#include "troupe/actors/runtime.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe {

/// Message at the moment its receiver takes it up.
struct delivery {
  /// Sender: "client", "frontend", "dependency cpu:0", "cpu:0 lane 0", "copy to cpu:0", or "memory"
  /// when memory was freed.
  std::string from;
  std::string to;
  std::string message;  ///< "run_tasks: matmul #1, exp #2"

  friend bool operator==(const delivery&, const delivery&) = default;
};

/// Asynchronous engine in slow motion: its actors run only when stepped, one message at a time, on
/// the calling thread and always in the same order; so do the operations.
///
/// Only threads that choose it with `use_engine` create values in it. Any thread may submit and
/// release tensors; everything else is for one thread at a time.
class stepped_engine final : public engine, private listener {
 public:
  /// Creates CPU devices with `lanes` lanes each. Throws troupe::error if there are not 1 to 64 of
  /// both, or if too many engines exist.
  explicit stepped_engine(int lanes = 2, int cpu_devices = 1,
                          std::size_t memory_limit = std::size_t{1} << 30);
  /// Finishes the work.
  ~stepped_engine() override;

  /// Lets one actor take its next message and act on it. Returns that message, or nothing if no
  /// actor has one.
  std::optional<delivery> step();

  void submit(task_ptr t) override;
  /// Steps until the value is ready or failed.
  bool wait(const value_ref& v, const wait_limit& limit) override;
  /// Steps until no actor has a message, then throws the first failure that was not reported yet.
  void wait_all() override;
  void cancel_all() override;
  /// Steps until the task is cancelled.
  void cancel(const value_ref& v) override;
  trace_log trace(ticks since) override;
  std::uint64_t pending() const noexcept override { return state_->window.pending(); }
  /// Lists the tasks without a step: messages stay in their mailboxes.
  std::vector<task_state> tasks() override;
  /// Returns the actors and their message counts.
  std::vector<actor_state> actors() const { return state_->actors(); }

 private:
  class freed_flag;

  /// Task since its submission.
  struct submission {
    task_state state;
    bool arrived = false;  ///< its dependency actor has received it
  };

  void heard(const actor_counters& by, caf::mailbox_element& message) override;
  std::string sender_of(caf::mailbox_element& message) const;
  void post_pending();
  bool move();
  template <class Message, class F>
  void ask_frontend(Message question, F&& on_answer, bool alone);

  std::shared_ptr<engine_state> state_;
  std::vector<std::shared_ptr<freed_flag>> freed_;  ///< by device
  std::atomic<bool> submitted_ = false;             ///< the frontend must be woken
  std::optional<delivery> last_;
  std::mutex mutex_;
  std::map<std::uint64_t, submission> submissions_;  ///< since the engine was last idle
  caf::actor_system_config config_;
  caf::actor_system system_;
  caf::scheduler::test_coordinator& scheduler_;
  actor_set actors_;
};

}  // namespace troupe
