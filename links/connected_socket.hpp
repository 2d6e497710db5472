// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace troupe {

/// Returns a socket that is connected to a port of a host, or an error's number, negative.
int connected_socket(const std::string& host, std::uint16_t port, std::chrono::milliseconds limit);

/// Returns true if both ends of a connected socket have the same address.
bool stays_on_this_machine(int socket) noexcept;

}  // namespace troupe
