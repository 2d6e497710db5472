// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "troupe/links/command_text.hpp"
#include "troupe/links/connection.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe {

/// Tells an owner of its tasks and stores, in their order, as they end. Of what has ended when the
/// network's thread has taken a frame, that thread tells; another one waits for the rest. At the
/// end the tasks that nobody will ask for are cancelled.
class teller {
 public:
  teller(engine& with, std::shared_ptr<connection> link);
  teller(const teller&) = delete;
  teller& operator=(const teller&) = delete;
  ~teller();

  /// Reason as it travels: it fits into a frame that nothing waits behind for long.
  static std::string reason(const std::string& text);

  // On the network's thread.

  /// Adds a task that runs, by its first output.
  void add(value_ref output) { fresh_.push_back({std::move(output), {}}); }
  /// Adds a task that never ran, and why.
  void add_refused(std::string why) { fresh_.push_back({{}, std::move(why)}); }
  /// Adds bytes that have arrived, or the reason why there is no place for them.
  void add_store(const std::string& refused);
  /// Returns the first output of a task by its number, counted from 1; null if its end was told.
  /// Throws bytes_error for one that was not added.
  value_ref output_of(std::uint64_t task);
  /// Tells of what has ended, and leaves the rest to the other thread.
  void look();

  void end();
  /// Returns true when nothing is left: destroying it does not wait.
  bool over() const noexcept { return over_; }

 private:
  struct running {
    value_ref output;
    std::string refused;
  };

  void work();
  bool anything() const noexcept { return !running_.empty() || stores_ > told_.stores; }
  bool ended_any() const noexcept;
  value_ref last_worth_telling() const;
  void take_fresh();
  void tell(std::unique_lock<std::mutex>& lock);
  void cancel_all();

  engine& engine_;
  std::shared_ptr<connection> link_;
  std::deque<running> fresh_;  ///< for the network's thread

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<running> running_;
  std::uint64_t stores_ = 0;  ///< values that have arrived
  std::vector<node_news::failed_request> failed_stores_;
  node_news told_;        ///< counts of all that the owner was told
  bool telling_ = false;  ///< a thread does, outside the lock
  bool ended_ = false;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace troupe
