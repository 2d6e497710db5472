// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/display_width.hpp"

#include <algorithm>
#include <cwchar>

#include "troupe/apps/shell/terminal/utf8.hpp"

namespace troupe::shell {

namespace {

template <class Visit>
void each_character(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const auto next = first_character(text);
    visit(next.bytes == 0 ? wchar_t{-1} : next.code);
    text.remove_prefix(std::max<std::size_t>(next.bytes, 1));
  }
}

}  // namespace

int display_width(std::string_view text) noexcept {
  int width = 0;
  each_character(text, [&](wchar_t c) {
    const int own = wcwidth(c);
    width += own < 0 || c == L'\0' ? 1 : own;
  });
  return width;
}

int rows_down(std::string_view text, int width) noexcept {
  int row = 0, column = 0;
  width = std::max(width, 2);
  const auto take = [&](int columns) {
    if (column + columns > width) ++row, column = 0;
    column += columns;
    if (column >= width) ++row, column = 0;
  };
  each_character(text, [&](wchar_t c) {
    if (c == L'\n') {
      ++row, column = 0;
    } else if (c == L'\t') {
      take(std::min(8 - column % 8, width - column));
    } else {
      const int own = wcwidth(c);
      take(c < L' ' || c == 127 ? 2 : own < 0 ? 1 : own);
    }
  });
  return row;
}

}  // namespace troupe::shell
