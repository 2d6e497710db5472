// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "troupe/links/connection.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe {

/// Sends an owner the values that it asks for, in that order, once they are there. The network's
/// thread sends what is there when it is asked for; another one waits for the rest.
class value_sender {
 public:
  /// Bytes of a value that the owner asked for; no value if there is none.
  struct asked {
    value_ref source;
    std::uint64_t number, offset, bytes;
  };

  value_sender(engine& with, std::shared_ptr<connection> link);
  value_sender(const value_sender&) = delete;
  value_sender& operator=(const value_sender&) = delete;
  ~value_sender();

  /// Adds a request; on the network's thread.
  void add(asked one);

  void end();
  /// Returns true when nothing is left: destroying it does not wait.
  bool over() const noexcept { return over_; }

 private:
  void work();
  void send(const asked& one);

  engine& engine_;
  std::shared_ptr<connection> link_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<asked> asked_;  ///< the first of them stays until it was sent
  bool ended_ = false;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace troupe
