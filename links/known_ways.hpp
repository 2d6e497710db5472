// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace troupe {

/// Addresses of the nodes of machines, and pairs of them that were found not to reach each other:
/// that counts for a while, and until one of the two is noted anew. Thread-safe.
class known_ways {
 public:
  using clock = std::chrono::steady_clock;
  /// Longer than a node remembers that another one did not answer it.
  static constexpr auto longest_memory = std::chrono::seconds(20);

  /// The addresses of two nodes.
  using way = std::pair<std::string, std::string>;

  /// Notes at which address a machine is now.
  void note_host(int machine, const std::string& address) {
    const std::lock_guard lock(mutex_);
    hosts_[machine] = address;
    std::erase_if(none_, [&](const auto& one) {
      return one.first.first == address || one.first.second == address;
    });
  }
  /// Returns the way from one machine's node to another one's.
  way between(int from, int to) {
    const std::lock_guard lock(mutex_);
    return {hosts_[from], hosts_[to]};
  }
  /// Returns true unless the way was found to be none a while ago.
  bool may_work(const way& one, clock::time_point time = clock::now()) {
    const std::lock_guard lock(mutex_);
    const auto found = none_.find(one);
    return found == none_.end() || time - found->second >= longest_memory;
  }
  void note_none(const way& one, clock::time_point time = clock::now()) {
    const std::lock_guard lock(mutex_);
    none_.insert_or_assign(one, time);
  }

 private:
  std::mutex mutex_;
  std::map<int, std::string> hosts_;  ///< addresses by the machine's number
  std::map<way, clock::time_point> none_;
};

}  // namespace troupe
