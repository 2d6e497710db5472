// SPDX-License-Identifier: MIT
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

namespace troupe::testing {

inline sockaddr_in loopback(int port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  return at;
}

/// The port of an address, "host:port", on this machine.
inline sockaddr_in loopback_of(const std::string& address) {
  return loopback(std::stoi(address.substr(address.rfind(':') + 1)));
}

/// Makes a socket listen at a free port of this machine, and returns its address.
inline std::string listen_on_loopback(int socket, int most_waiting) {
  auto at = loopback(0);
  socklen_t size = sizeof at;
  auto* const address = reinterpret_cast<sockaddr*>(&at);
  REQUIRE(::bind(socket, address, size) == 0);
  REQUIRE(::listen(socket, most_waiting) == 0);
  REQUIRE(::getsockname(socket, address, &size) == 0);
  return "127.0.0.1:" + std::to_string(ntohs(at.sin_port));
}

}  // namespace troupe::testing
