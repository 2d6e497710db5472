// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/waiting_line.hpp"

#include <unistd.h>

#include <iostream>

#include "troupe/text/display_width.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe::shell {

void waiting_line::show(const std::string& what) {
  if (!shown_ || what == there_) return;
  there_ = what;
  std::cout << "\r\033[K";
  if (!what.empty()) {
    const auto text = on_one_line("... waits: " + what + " (Ctrl-C stops waiting)");
    std::cout << first_columns(text, terminal_width(STDOUT_FILENO) - 1);
  }
  std::cout << std::flush;
}

}  // namespace troupe::shell
