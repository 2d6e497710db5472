// SPDX-License-Identifier: MIT
#include "troupe/text/display_width.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cwchar>
#include <iostream>
#include <limits>

#include "troupe/text/utf8.hpp"

namespace troupe {

namespace {

struct measured {
  std::size_t bytes;
  int columns;
};

/// Measures the beginning of a text that takes at most so many columns.
measured measure(std::string_view text, int most) noexcept {
  measured all{0, 0};
  while (all.bytes < text.size()) {
    const auto next = first_character(text.substr(all.bytes));
    const int own = next.valid ? wcwidth(static_cast<wchar_t>(next.code)) : -1;
    const int columns = own < 0 || next.code == 0 ? 1 : own;
    if (columns > most - all.columns) break;
    all.columns += columns;
    all.bytes += std::max<std::size_t>(next.bytes, 1);
  }
  return all;
}

}  // namespace

int display_width(std::string_view text) noexcept {
  return measure(text, std::numeric_limits<int>::max()).columns;
}

std::string_view first_columns(std::string_view text, int columns) noexcept {
  return text.substr(0, measure(text, columns).bytes);
}

std::string blanks_under(std::string_view text) {
  std::string out;
  for (auto tab = text.find('\t'); tab != text.npos; tab = text.find('\t')) {
    out.append(static_cast<std::size_t>(display_width(text.substr(0, tab))), ' ') += '\t';
    text.remove_prefix(tab + 1);
  }
  return out.append(static_cast<std::size_t>(display_width(text)), ' ');
}

int terminal_width(int file_descriptor) noexcept {
  constexpr int usual = 80;
  winsize size{};
  return ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

int file_descriptor_of(const std::ostream& out) noexcept {
  if (&out == &std::cout) return STDOUT_FILENO;
  return &out == &std::cerr || &out == &std::clog ? STDERR_FILENO : -1;
}

}  // namespace troupe
