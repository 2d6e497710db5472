// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/plain_reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <utility>

#include "troupe/apps/shell/terminal/unblocked_input.hpp"

namespace troupe::shell {

namespace {

input::kind more_from(int file_descriptor, std::string& bytes, std::optional<signal_watch>& watch) {
  if (!watch) watch.emplace({SIGINT});
  char some[1 << 16];
  for (;;) {
    if (!watch->wait_for(file_descriptor)) {
      watch->take();
      return input::kind::interrupted;
    }
    const auto n = ::read(file_descriptor, some, sizeof some);
    if (n > 0) {
      bytes.append(some, static_cast<std::size_t>(n));
      return input::kind::line;
    }
    if (n == 0 || (errno != EINTR && errno != EAGAIN)) return input::kind::end;
  }
}

input::kind more_from(std::istream& in, std::string& bytes) {
  std::string line;
  if (!std::getline(in, line)) return input::kind::end;
  bytes += line;
  if (!in.eof()) bytes += '\n';
  return input::kind::line;
}

void write_to_terminal(const std::string& text) {
  std::cout.flush();
  auto* const file = isatty(STDOUT_FILENO) ? stdout : stderr;
  std::fputs(text.c_str(), file);
  std::fflush(file);
}

}  // namespace

plain_reader::plain_reader(int file_descriptor, line_history history, palette colours)
    : more_([file = std::make_shared<unblocked_input>(file_descriptor)](auto& bytes, auto& watch) {
        return more_from(file->get(), bytes, watch);
      }),
      prompts_(isatty(file_descriptor) == 1),
      history_(std::move(history)),
      colours_(colours) {}

plain_reader::plain_reader(std::istream& in)
    : more_([&in](auto& bytes, auto&) { return more_from(in, bytes); }) {}

input plain_reader::read(const std::string& prompt) {
  std::optional<signal_watch> watch;
  if (prompts_) watch.emplace({SIGINT});  // before anybody is asked to type
  if (prompts_) write_to_terminal(colours_.paint(style::prompt, prompt));
  for (auto searched = begin_;;) {
    const auto newline = bytes_.find('\n', searched);
    if (newline != std::string::npos) return line_up_to(newline);
    bytes_.erase(0, std::exchange(begin_, 0));
    searched = bytes_.size();
    const auto came = ended_ ? input::kind::end : more_(bytes_, watch);
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

}  // namespace troupe::shell
