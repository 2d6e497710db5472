// SPDX-License-Identifier: MIT
#include "troupe/links/network_address.hpp"

#include <charconv>
#include <system_error>

#include "troupe/tasks/error.hpp"

namespace troupe {

network_address network_address::parse(std::string_view text, std::source_location call_site) {
  const auto colon = text.rfind(':');
  network_address out;
  if (colon != std::string_view::npos && colon > 0) {
    const auto port = text.substr(colon + 1);
    const auto [end, problem] = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (problem == std::errc() && end == port.data() + port.size() && !port.empty()) {
      out.host = text.substr(0, colon);
      if (out.host == "*") out.host.clear();
      if (out.host.starts_with('[') && out.host.ends_with(']'))
        out.host = out.host.substr(1, out.host.size() - 2);
      return out;
    }
  }
  throw error('"' + std::string(text) + "\" is no address: host:port is", call_site);
}

std::string network_address::text() const {
  return address_text(host.empty() ? "*" : host, std::to_string(port));
}

std::string address_text(std::string_view host, std::string_view port) {
  const bool of_ipv6 = host.find(':') != std::string_view::npos;
  std::string out = of_ipv6 ? '[' + std::string(host) + ']' : std::string(host);
  return out.append(":").append(port);
}

}  // namespace troupe
