// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/common_prefix.hpp"

#include <algorithm>
#include <cstddef>

namespace troupe::shell {

namespace {

bool within_character(const std::string& text, std::size_t at) noexcept {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

}  // namespace

std::string common_prefix(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const auto& first = words.front();
  auto same = first.size();
  for (const auto& word : words) {
    const auto length = std::min(same, word.size());
    const auto differs =
        std::mismatch(word.begin(), word.begin() + static_cast<long>(length), first.begin());
    same = static_cast<std::size_t>(differs.first - word.begin());
  }
  const auto cuts = [&same](const auto& word) { return within_character(word, same); };
  while (same > 0 && std::any_of(words.begin(), words.end(), cuts)) --same;
  return first.substr(0, same);
}

}  // namespace troupe::shell
