// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/colours.hpp"

namespace troupe::shell {

std::string palette::paint(style s, std::string_view text) const {
  if (!on || text.empty()) return std::string(text);
  return std::string(begin(s)).append(text).append(end());
}

std::string_view palette::begin(style s) const noexcept {
  if (!on) return {};
  switch (s) {
    case style::error: return "\033[1;31m";
    case style::caret: return "\033[1;33m";
    case style::name: return "\033[36m";
    case style::number: return "\033[35m";
    case style::state: return "\033[32m";
    case style::faint: return "\033[2m";
    case style::heading: return "\033[1m";
    case style::prompt: return "\033[1;34m";
    case style::typed: return "\033[0;1m";
  }
  return {};
}

std::string_view palette::end() const noexcept { return on ? "\033[0m" : ""; }

}  // namespace troupe::shell
