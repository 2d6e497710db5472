// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/line_reader.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <utility>

#include "troupe/apps/shell/terminal/colours.hpp"
#include "troupe/apps/shell/terminal/line_history.hpp"
#include "troupe/apps/shell/terminal/plain_reader.hpp"
#if defined(TROUPE_LIBEDIT) && TROUPE_LIBEDIT
#include "troupe/apps/shell/terminal/libedit_reader.hpp"
#endif

namespace troupe::shell {

namespace {

#if defined(TROUPE_LIBEDIT) && TROUPE_LIBEDIT
bool can_move_cursor() {
  const char* terminal = std::getenv("TERM");
  return terminal && *terminal && std::string_view(terminal) != "dumb";
}
#endif

void warn(const std::string& line) { std::cerr << "troupe: " << line << std::endl; }

}  // namespace

std::unique_ptr<line_reader> make_line_reader(reader_options options) {
  const bool typed = isatty(STDIN_FILENO);
  auto history = line_history({.file = typed ? std::move(options.history_file) : "", .warn = warn});
#if defined(TROUPE_LIBEDIT) && TROUPE_LIBEDIT
  if (typed && isatty(STDOUT_FILENO) && can_move_cursor())
    return std::make_unique<libedit_reader>(std::move(options.complete), std::move(history),
                                            palette{options.colour});
#endif
  return std::make_unique<plain_reader>(STDIN_FILENO, std::move(history), palette{options.colour});
}

}  // namespace troupe::shell
