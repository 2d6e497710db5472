// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "troupe/links/command_text.hpp"
#include "troupe/links/connection.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe {

/// Tells the owner of a program when its tasks ran on this node: of the latest ones, by the clock
/// of this node. A thread of its own does so, since an engine tells between tasks.
class tracer {
 public:
  tracer(engine& of, std::shared_ptr<connection> link);
  tracer(const tracer&) = delete;
  tracer& operator=(const tracer&) = delete;
  ~tracer();

  /// Notes by which numbers a task goes here and at the owner.
  void note(std::uint64_t here, std::uint64_t there);
  /// Answers the number of a question with the time.
  void tell_time(byte_reader& in);
  /// Takes the number of a question, and since when, in place of an earlier one.
  void ask(byte_reader& in);
  void end();
  /// Returns true if it has ended: destroying it does not wait.
  bool over() const noexcept { return over_; }

 private:
  void work();
  void answer(std::uint64_t question, std::int64_t since);
  void send(const node_trace& part);

  engine& engine_;
  const std::shared_ptr<connection> link_;
  const clock_translation clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::uint64_t, std::uint64_t>> numbers_;  ///< in the order here
  std::optional<std::pair<std::uint64_t, std::int64_t>> asked_;
  bool ended_ = false;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace troupe
