// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/waiting_line.hpp"

#include <unistd.h>

#include <iostream>

#include "troupe/apps/shell/terminal/columns.hpp"

namespace troupe::shell {

void waiting_line::show(const std::string& what) {
  if (!shown_ || what == there_) return;
  there_ = what;
  std::cout << "\r\033[K";
  if (!what.empty()) {
    const auto room = static_cast<std::size_t>(terminal_width(STDOUT_FILENO) - 1);
    std::cout << ("... waits: " + what + " (Ctrl-C stops waiting)").substr(0, room);
  }
  std::cout << std::flush;
}

}  // namespace troupe::shell
