// SPDX-License-Identifier: MIT
#pragma once

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
  static constexpr std::size_t most_early_ = 1000;

  std::map<secret_key::digest, awaited> awaited_;
  std::map<secret_key::digest, std::weak_ptr<visitor>> early_;
};

}  // namespace troupe
