// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "troupe/links/connection.hpp"
#include "troupe/links/handshake.hpp"
#include "troupe/links/network_address.hpp"
#include "troupe/links/secret_key.hpp"

namespace troupe {

/// The connections of this process, on CAF's network layer and its thread. Both sides prove a key
/// before anything else is read, and hear of each other all the time: one that is silent for a
/// second is lost.
class network {
 public:
  /// Makes what takes the frames of a connection whose other side has proved the key.
  using welcome = std::function<std::shared_ptr<frame_receiver>(std::shared_ptr<connection>,
                                                                handshake::side who)>;
  using log = std::function<void(const std::string& line)>;

  /// `tls`: all that travels is encrypted, in both directions and on all connections, with the key.
  explicit network(bool tls = false);
  network(const network&) = delete;
  network& operator=(const network&) = delete;
  /// Ends all connections; their receivers are told.
  ~network();

  /// Connects to a node, as the owner of a program, and waits until both sides have proved the key,
  /// at most `limit`. Throws troupe::error that says why not.
  std::shared_ptr<connection> connect(const network_address& to, const secret_key& key,
                                      const welcome& greet, std::chrono::milliseconds limit,
                                      std::source_location call_site);
  /// Connects to a node, as another node. Throws troupe::error.
  using dialer = std::function<std::shared_ptr<connection>(
      const network_address& to, const welcome& greet, std::chrono::milliseconds limit)>;
  /// Returns what connects to nodes; once the network has ended, it throws.
  dialer dialer_with(const secret_key& key) const;
  /// Listens as a node, on a free port for port 0, and returns the port. Whoever proves the key is
  /// greeted, on the network's thread; whoever does not, ends with a line in the log.
  std::uint16_t listen(const network_address& at, const secret_key& key, welcome greet, log to,
                       std::source_location call_site);

 private:
  class hub;
  struct system;
  static std::unique_ptr<system> start();

  static std::shared_ptr<connection> connect_as(handshake::side who, const std::shared_ptr<hub>& h,
                                                const network_address& to, const secret_key& key,
                                                const welcome& greet,
                                                std::chrono::milliseconds limit,
                                                std::source_location call_site);

  std::unique_ptr<system> system_;
  std::shared_ptr<hub> hub_;
};

}  // namespace troupe
