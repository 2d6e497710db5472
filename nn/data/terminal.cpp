// SPDX-License-Identifier: MIT
#include "troupe/nn/data/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

namespace troupe::nn {

namespace {

constexpr int usual_width = 80;

/// Returns the file descriptor, or -1 for a stream that is not standard.
int file_of(const std::ostream& out) noexcept {
  if (&out == &std::cout) return STDOUT_FILENO;
  return &out == &std::cerr || &out == &std::clog ? STDERR_FILENO : -1;
}

}  // namespace

bool is_terminal(const std::ostream& out) noexcept {
  const int file = file_of(out);
  return file >= 0 && isatty(file) == 1;
}

int terminal_width(const std::ostream& out) noexcept {
  winsize size{};
  const int file = file_of(out);
  if (file < 0 || ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual_width;
  return size.ws_col;
}

}  // namespace troupe::nn
