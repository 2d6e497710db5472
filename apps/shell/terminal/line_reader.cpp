// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/line_reader.hpp"

#include <unistd.h>

#include <utility>

#include "troupe/apps/shell/terminal/plain_reader.hpp"
#if defined(TROUPE_LIBEDIT) && TROUPE_LIBEDIT
#include <cstdlib>

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

}  // namespace

std::unique_ptr<line_reader> make_line_reader(reader_options options) {
#if defined(TROUPE_LIBEDIT) && TROUPE_LIBEDIT
  if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && can_move_cursor())
    return std::make_unique<libedit_reader>(std::move(options));
#endif
  return std::make_unique<plain_reader>(STDIN_FILENO, palette{options.colour});
}

}  // namespace troupe::shell
