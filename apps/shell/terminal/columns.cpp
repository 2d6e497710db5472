// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/line_reader.hpp"

#include <algorithm>
#include <cstddef>

#include "troupe/text/display_width.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe::shell {

std::string in_columns(const std::vector<std::string>& words, int width) {
  constexpr int gap = 2;
  int widest = 0;
  for (const auto& word : words) widest = std::max(widest, display_width(word));
  const auto columns = static_cast<std::size_t>(std::max(1, (width - 1 + gap) / (widest + gap)));
  const auto rows = (words.size() + columns - 1) / columns;
  std::string out;
  for (std::size_t row = 0; row < rows; ++row) {
    for (auto i = row; i < words.size(); i += rows) {
      out += words[i];
      if (i + rows >= words.size()) continue;
      out.append(static_cast<std::size_t>(widest + gap - display_width(words[i])), ' ');
    }
    out += '\n';
  }
  return out;
}

std::string common_prefix(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  std::string_view same = words.front();
  for (const std::string_view word : words) {
    const auto differs = std::mismatch(same.begin(), same.end(), word.begin(), word.end()).first;
    const auto bytes = static_cast<std::size_t>(differs - same.begin());
    same = std::min(first_bytes(same, bytes), first_bytes(word, bytes));
  }
  return std::string(same);
}

}  // namespace troupe::shell
