// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/text_lines.hpp"

#include <algorithm>

namespace troupe::shell {

namespace {

std::size_t beginning_of_line(std::wstring_view text, std::size_t position) {
  return position == 0 ? 0 : text.rfind(L'\n', position - 1) + 1;
}

}  // namespace

std::optional<std::size_t> position_above(std::wstring_view text, std::size_t position) {
  const auto begin = beginning_of_line(text, position);
  if (begin == 0) return {};
  const auto end_above = begin - 1;
  return std::min(beginning_of_line(text, end_above) + (position - begin), end_above);
}

std::optional<std::size_t> position_below(std::wstring_view text, std::size_t position) {
  const auto newline = text.find(L'\n', position);
  if (newline == std::wstring_view::npos) return {};
  const auto begin_below = newline + 1;
  const auto end_below = std::min(text.find(L'\n', begin_below), text.size());
  return std::min(begin_below + (position - beginning_of_line(text, position)), end_below);
}

}  // namespace troupe::shell
