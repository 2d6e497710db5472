// SPDX-License-Identifier: MIT
#include "troupe/text/quoted.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "troupe/text/utf8.hpp"

namespace troupe {

namespace {

bool is_control(char32_t c) noexcept { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

std::string hexadecimal(const char* format, char byte) {
  char code[8];
  std::snprintf(code, sizeof code, format, static_cast<unsigned char>(byte));
  return code;
}

/// Visits each character: the decoded one, and its bytes.
template <class Visit>
void each_character(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const auto next = first_character(text);
    const auto bytes = std::max<std::size_t>(next.bytes, 1);
    visit(next, text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 64;
  const auto shown = first_bytes(text, most);
  return '"' + on_one_line(shown) + (shown.size() < text.size() ? "...\"" : "\"");
}

std::string on_one_line(std::string_view text) {
  std::string out;
  each_character(text, [&out](const utf8_character& c, std::string_view bytes) {
    if (c.valid && !is_control(c.code)) {
      out += bytes;
    } else {
      for (const char byte : bytes) out += hexadecimal("\\x%02x", byte);
    }
  });
  return out;
}

std::string json_text(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace troupe
