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
#include "troupe/tasks/engine.hpp"

namespace troupe {

/// A message as its receiver takes it up.
struct delivery {
  /// "client", "frontend", "dependency cpu:0", "cpu:0 lane 0", "copy to cpu:0"; "memory" tells that
  /// some was freed.
  std::string from;
  std::string to;
  std::string what;  ///< "run_tasks: matmul #1, exp #2"

  friend bool operator==(const delivery&, const delivery&) = default;
};

/// The asynchronous engine in slow motion: all its actors stand still but when they are told to
/// take one message. They run on the thread that says so, in an order that is always the same; so
/// do the operations.
///
/// Only threads that choose it with `use_engine` have their new values belong to it. Any thread may
/// submit and let go of tensors; one thread at a time may do everything else.
class stepped_engine final : public engine, private listener {
 public:
  /// CPU devices with so many lanes each. Throws troupe::error when too many engines live.
  explicit stepped_engine(int lanes = 2, int cpu_devices = 1,
                          std::size_t memory_limit = std::size_t{1} << 30);
  /// Finishes the work.
  ~stepped_engine() override;

  /// Has one actor take its next message and act on it; says which. Nothing if nobody has a
  /// message.
  std::optional<delivery> step();

  void submit(task_ptr t) override;
  /// Steps until the value is ready or failed.
  bool wait(const value_ref& v, deadline until) override;
  /// Steps until nobody has a message, then throws the first failure nobody was told of.
  void wait_all() override;
  void cancel_all() override;
  trace_log trace(ticks since) override;
  std::uint64_t pending() const noexcept override { return state_->window.pending(); }
  /// Changes nothing: what is in a mailbox stays there.
  std::vector<task_state> tasks() override;
  /// The actors and their messages.
  std::vector<actor_state> actors() const { return state_->actors(); }

 private:
  class memory_bell;

  /// A task since it was submitted.
  struct submission {
    task_state state;
    bool arrived = false;  ///< its dependency actor knows it
  };

  void heard(const actor_counters& by, caf::mailbox_element& message) override;
  std::string sender_of(caf::mailbox_element& message) const;
  void ring();
  bool move();
  template <class Message, class F>
  void ask_frontend(Message question, F&& on_answer, bool alone);

  std::shared_ptr<engine_state> state_;
  std::vector<std::shared_ptr<memory_bell>> freed_;  ///< by device
  std::atomic<bool> submitted_ = false;              ///< the frontend has to be told
  std::optional<delivery> last_;
  std::mutex mutex_;
  std::map<std::uint64_t, submission> submissions_;  ///< since the engine was at rest
  caf::actor_system_config config_;
  caf::actor_system system_;
  caf::scheduler::test_coordinator& scheduler_;
  actor_set actors_;
};

}  // namespace troupe
