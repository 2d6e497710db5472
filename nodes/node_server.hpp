// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <source_location>
#include <string>

namespace troupe {

class engine;
class runtime;

/// Settings of a node.
struct node_options {
  std::string listen = "127.0.0.1:7311";  ///< where: loopback unless told; port 0: any free one
  std::string key;                        ///< the file with the key that owners have to prove
  /// Is told of owners that come and go, and of strangers; one line each, on a thread of the
  /// node's.
  std::function<void(const std::string& line)> log = {};
};

/// Offers the devices of a runtime to programs on other machines, which name it among their nodes:
///
///     runtime rt;
///     node_server node(rt, {.listen = "0.0.0.0:7311", .key = "cluster.key"});
///
/// Each owner has its values to itself; if it goes, they are dropped. Connections are encrypted if
/// the runtime has the option `tls`. To be destroyed before the runtime.
class node_server {
 public:
  /// Throws troupe::error for a key file or an address that is none, or is taken.
  node_server(runtime& with, node_options options,
              std::source_location call_site = std::source_location::current());
  node_server(const node_server&) = delete;
  node_server& operator=(const node_server&) = delete;
  ~node_server();

  /// The port that it listens at.
  std::uint16_t port() const noexcept;
  /// The number of owners that it works for.
  int owners() const noexcept;

 private:
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace troupe
