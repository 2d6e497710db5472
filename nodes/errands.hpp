// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "troupe/links/command_text.hpp"
#include "troupe/links/network.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe {

/// The values of one owner that this node brings to other nodes: on one connection to each, in
/// frames that the other side has asked for, so that nothing piles up there. Thread-safe.
class errands final : public std::enable_shared_from_this<errands> {
 public:
  /// Hears of the ends that did not get there.
  using listener = std::function<void(std::uint64_t number, arrival how, const std::string& why)>;

  errands(engine& with, network::dialer dial, listener tell)
      : engine_(with), dial_(std::move(dial)), tell_(std::move(tell)) {}

  /// Adds one, whose bytes begin so far behind those of a value.
  void add(const sent_errand& what, value_ref source, std::uint64_t offset);
  void take_back(std::uint64_t number);
  /// Waits for the values and connects; until `end`, on a thread of its own.
  void work();
  void end();

 private:
  class caller;
  struct errand {
    sent_errand what;
    value_ref source;
    std::uint64_t offset;
    std::uint64_t way = 0;  ///< the number of its connection
    std::shared_ptr<connection> link = {};
    std::uint64_t sent = 0;
  };
  struct way {
    std::uint64_t number;
    std::shared_ptr<connection> link;
  };

  void begin(errand one);
  way way_to(const std::string& address);
  bool keep_way(const std::string& address, const way& one);
  void send_more(std::uint64_t number, std::uint64_t until);
  void closed(std::uint64_t gone, const std::string& why);

  engine& engine_;
  const network::dialer dial_;
  const listener tell_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<errand> waiting_;
  std::uint64_t beginning_ = 0;  ///< the number of the one between these two; 0 if none is
  std::map<std::uint64_t, errand> begun_;
  std::map<std::string, way> ways_;  ///< by address
  std::map<std::string, std::chrono::steady_clock::time_point> no_ways_;
  std::uint64_t ways_made_ = 0;
  bool ended_ = false;
};

}  // namespace troupe
