// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "troupe/links/connection.hpp"
#include "troupe/links/secret_key.hpp"

namespace troupe {

class session;

/// The tickets of values that other nodes bring to owners' sessions here, and those nodes. For the
/// network's thread.
class visits final : public std::enable_shared_from_this<visits> {
 public:
  using clock = std::chrono::steady_clock;

  visits();

  /// This node's own number, which tells it from others that may be at its address.
  std::uint64_t node() const noexcept { return node_; }
  /// A session awaits who brings this ticket with a value; who has may have come before.
  void await(const secret_key::digest& ticket, std::weak_ptr<session> whose, std::uint64_t number);
  /// The ticket is not needed any more.
  void forget(const secret_key::digest& ticket);
  /// Returns what takes the frames of another node.
  std::shared_ptr<frame_receiver> greet(std::shared_ptr<connection> link);

 private:
  class visitor;
  struct awaited {
    std::weak_ptr<session> whose;
    std::uint64_t number;
  };
  /// A ticket that was brought before its session asked for it.
  struct early_ticket {
    std::weak_ptr<visitor> who;
    std::uint64_t number;
    clock::time_point since;
  };
  static constexpr std::size_t most_early_ = 1000;
  static constexpr auto longest_early_ = std::chrono::seconds(2);

  void forget_late();

  std::uint64_t node_ = 0;

  std::map<secret_key::digest, awaited> awaited_;
  std::map<secret_key::digest, early_ticket> early_;
};

/// Tells another node how many bytes of a value it may send so far; 0: nobody takes it.
void send_room(connection& to, std::uint64_t number, std::uint64_t until);

}  // namespace troupe
