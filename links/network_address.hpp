// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>

namespace troupe {

/// A place where a node listens: "host:port", "[::1]:port", or "*:port" for all addresses of the
/// machine.
struct network_address {
  std::string host;  ///< empty: all
  std::uint16_t port = 0;

  /// Throws troupe::error for a text that is none.
  static network_address parse(std::string_view text, std::source_location call_site);
  std::string text() const;
};

/// Returns "host:port", or "[::1]:port".
std::string address_text(std::string_view host, std::string_view port);

}  // namespace troupe
