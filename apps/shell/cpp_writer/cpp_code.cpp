// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_code.hpp"

#include <algorithm>
#include <charconv>

namespace troupe::shell {

namespace {

constexpr char begins = '\x01', ends = '\x02';

}  // namespace

std::string mark(int entity) { return begins + std::to_string(entity) + ends; }

std::vector<cpp_piece> pieces_of(std::string_view text) {
  std::vector<cpp_piece> all;
  while (!text.empty()) {
    const auto at = text.find(begins);
    if (at != 0) all.push_back({text.substr(0, at)});
    if (at == std::string_view::npos) break;
    const auto end = text.find(ends, at);
    cpp_piece one;
    std::from_chars(text.data() + at + 1, text.data() + end, one.entity);
    all.push_back(one);
    text.remove_prefix(end + 1);
  }
  return all;
}

bool has_mark(std::string_view text, int entity) {
  return text.find(mark(entity)) != std::string_view::npos;
}

}  // namespace troupe::shell
