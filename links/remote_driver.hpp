// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <source_location>
#include <span>
#include <string>

#include "troupe/devices/driver.hpp"
#include "troupe/links/network.hpp"

namespace troupe {

/// Connects to nodes, and returns their devices: those of the first as cpu:0@1 and so on. Their
/// kernels are those of `here`, a CPU device of this process, whose memory takes what is copied
/// home in case a node is lost, `most_copied` bytes of values with a long way back at most: then
/// another node takes its place. Throws troupe::error for a node
/// that cannot be reached, or is none for this key. The drivers hold the connections.
drivers make_remote_drivers(std::span<const std::string> addresses, const secret_key& key, bool tls,
                            driver& here, std::size_t most_copied,
                            std::source_location call_site = {});

}  // namespace troupe
