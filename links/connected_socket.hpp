// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "troupe/links/network_address.hpp"

namespace troupe {

/// Returns a socket that is connected to a port of a host, or -1, with the reason.
int connected_socket(const network_address& to, std::chrono::milliseconds limit,
                     std::string& why_not);

/// Returns why nobody can listen at a port of a host, which is empty for all of this machine's
/// addresses; an empty text if somebody could.
std::string why_no_listener(const std::string& host, std::uint16_t port);

/// Returns the address and port of the other end of a connected socket.
std::string other_end_of(int socket);

/// Returns true if both ends of a connected socket have the same address.
bool stays_on_this_machine(int socket) noexcept;

}  // namespace troupe
