// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/utf8.hpp"

#include <cstdint>

namespace troupe::shell {

namespace {

static_assert(sizeof(wchar_t) >= 4, "wide characters are Unicode's");

constexpr std::uint32_t no_utf8 = 0xDC00;  // what the codes of single bytes are counted from

utf8_character lone(unsigned char byte) noexcept {
  return {static_cast<wchar_t>(no_utf8 + byte), 1};
}

bool is_lone(std::uint32_t code) noexcept {
  return code >= no_utf8 + 0x80 && code <= no_utf8 + 0xFF;
}

/// 0 if no character begins with it.
std::size_t length_after(unsigned char first) noexcept {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

/// Rules out what could be written shorter, surrogates, and what lies beyond Unicode.
bool second_fits(unsigned char first, unsigned char second) noexcept {
  switch (first) {
    case 0xE0: return second >= 0xA0;
    case 0xED: return second < 0xA0;
    case 0xF0: return second >= 0x90;
    case 0xF4: return second < 0x90;
    default: return true;
  }
}

}  // namespace

utf8_character first_character(std::string_view text) noexcept {
  const auto at = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto first = at(0);
  const auto length = length_after(first);
  if (length == 0) return lone(first);
  if (length == 1) return {static_cast<wchar_t>(first), 1};
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (i == text.size()) return {};
    if ((at(i) & 0xC0) != 0x80 || (i == 1 && !second_fits(first, at(1)))) return lone(first);
    code = code << 6 | (at(i) & 0x3FU);
  }
  return {static_cast<wchar_t>(code), length};
}

std::wstring to_wide(std::string_view text) {
  std::wstring wide;
  wide.reserve(text.size());
  while (!text.empty()) {
    auto next = first_character(text);
    if (next.bytes == 0) next = lone(static_cast<unsigned char>(text[0]));
    wide += next.code;
    text.remove_prefix(next.bytes);
  }
  return wide;
}

std::string to_utf8(std::wstring_view text) {
  std::string out;
  out.reserve(text.size());
  const auto add = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  for (const wchar_t c : text) {
    const auto code = static_cast<std::uint32_t>(c);
    if (code < 0x80) {
      add(code);
    } else if (is_lone(code)) {
      add(code - no_utf8);
    } else if (code < 0x800) {
      add(0xC0 | code >> 6);
      add(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      add(0xE0 | code >> 12);
      add(0x80 | (code >> 6 & 0x3F));
      add(0x80 | (code & 0x3F));
    } else {
      add(0xF0 | (code >> 18 & 7));
      add(0x80 | (code >> 12 & 0x3F));
      add(0x80 | (code >> 6 & 0x3F));
      add(0x80 | (code & 0x3F));
    }
  }
  return out;
}

}  // namespace troupe::shell
