// SPDX-License-Identifier: MIT
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "troupe/links/frames.hpp"
#include "troupe/links/handshake.hpp"
#include "troupe/tasks/byte_stream.hpp"
#include "troupe/tests/nodes/loopback.hpp"

namespace troupe::testing {

/// The owner's end of a connection to a node, made by hand: it proves the key, and then sends what
/// a test wants.
class raw_owner {
 public:
  raw_owner(std::uint16_t port, const secret_key& key) {
    const auto to = loopback(port);
    REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    handshake side(handshake::side::owner, key);
    send(side.opening());
    std::vector<std::byte> its_proof(side.expects());
    REQUIRE(::recv(socket_, its_proof.data(), its_proof.size(), MSG_WAITALL) ==
            static_cast<ssize_t>(its_proof.size()));
    send(side.take(its_proof));
  }
  raw_owner(const raw_owner&) = delete;
  raw_owner& operator=(const raw_owner&) = delete;
  ~raw_owner() { ::close(socket_); }

  void send(frame_kind kind, std::span<const std::byte> body) const {
    std::vector<std::byte> frame;
    byte_writer out(frame);
    out.put(static_cast<std::uint32_t>(body.size()));
    out.put(kind);
    frame.resize(frame_header_bytes);
    append_bytes(frame, body);
    send(frame);
  }
  int socket() const noexcept { return socket_; }

 private:
  void send(std::span<const std::byte> rest) const {
    while (!rest.empty()) {
      const auto n = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
      REQUIRE(n > 0);
      rest = rest.subspan(static_cast<std::size_t>(n));
    }
  }

  const int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
};

}  // namespace troupe::testing
