// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/line_reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>

#if defined(TROUPE_LIBEDIT) && TROUPE_LIBEDIT
#include "troupe/apps/shell/terminal/libedit_reader.hpp"
#endif

namespace troupe::shell {

namespace {

void write_to_terminal(const std::string& text) {
  std::cout.flush();
  auto* const file = isatty(STDOUT_FILENO) ? stdout : stderr;
  std::fputs(text.c_str(), file);
  std::fflush(file);
}

}  // namespace

plain_reader::plain_reader(int file_descriptor, palette colours)
    : file_(file_descriptor), prompts_(isatty(file_descriptor) == 1), colours_(colours) {}

/// Puts more bytes at the end, or says why it could not.
input::kind plain_reader::read_more(std::optional<signal_watch>& watch) {
  if (!watch) watch.emplace({SIGINT});
  char some[1 << 16];
  for (;;) {
    if (!watch->wait_for(file_.get())) {
      watch->take();
      return input::kind::interrupted;
    }
    const auto n = ::read(file_.get(), some, sizeof some);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) return input::kind::end;
    if (n < 0) continue;
    bytes_.append(some, static_cast<std::size_t>(n));
    return input::kind::line;
  }
}

input plain_reader::read(const std::string& prompt) {
  std::optional<signal_watch> watch;
  if (prompts_) watch.emplace({SIGINT});  // before anybody is asked to type
  if (prompts_) write_to_terminal(colours_.paint(style::prompt, prompt));
  for (auto searched = begin_;;) {
    const auto newline = bytes_.find('\n', searched);
    if (newline != std::string::npos) return line_up_to(newline);
    bytes_.erase(0, std::exchange(begin_, 0));
    searched = bytes_.size();
    const auto came = ended_ ? input::kind::end : read_more(watch);
    if (came == input::kind::line) continue;
    if (prompts_) write_to_terminal("\n");
    if (came == input::kind::end) {
      ended_ = true;
      if (!bytes_.empty()) return line_up_to(bytes_.size());
    }
    bytes_.clear();
    return {came, {}};
  }
}

input plain_reader::line_up_to(std::size_t newline) {
  auto end = newline;
  if (end > begin_ && end < bytes_.size() && bytes_[end - 1] == '\r') --end;
  input line{input::kind::line, bytes_.substr(begin_, end - begin_)};
  begin_ = std::min(newline + 1, bytes_.size());
  return line;
}

std::unique_ptr<line_reader> make_line_reader(reader_options options) {
#if defined(TROUPE_LIBEDIT) && TROUPE_LIBEDIT
  const char* const terminal = std::getenv("TERM");
  if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal && *terminal &&
      std::string_view(terminal) != "dumb")
    return std::make_unique<libedit_reader>(std::move(options));
#endif
  return std::make_unique<plain_reader>(STDIN_FILENO, palette{options.colour});
}

}  // namespace troupe::shell
