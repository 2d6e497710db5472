// SPDX-License-Identifier: MIT
#include "troupe/text/utf8.hpp"

#include <utf8.h>

#include <iterator>

namespace troupe {

namespace {

static_assert(sizeof(wchar_t) >= 4, "wide characters are Unicode's");

constexpr char32_t no_utf8 = 0xDC00;  // what the codes of single bytes are counted from

utf8_character lone(char byte) noexcept {
  return {no_utf8 + static_cast<unsigned char>(byte), 1, false};
}

}  // namespace

bool is_utf8(std::string_view text) noexcept { return utf8::is_valid(text); }

void append_utf8(std::string& text, std::uint32_t character) {
  utf8::unchecked::append(character, std::back_inserter(text));
}

utf8_character first_character(std::string_view text) noexcept {
  if (static_cast<unsigned char>(text[0]) < 0x80) return {static_cast<char32_t>(text[0]), 1, true};
  try {
    auto end = text.begin();
    const char32_t code = utf8::next(end, text.end());
    return {code, static_cast<std::size_t>(end - text.begin()), true};
  } catch (const utf8::not_enough_room&) { return {}; } catch (const utf8::exception&) {
    return lone(text[0]);
  }
}

std::string_view first_bytes(std::string_view text, std::size_t bytes) noexcept {
  constexpr std::size_t longest = 4;  // bytes of a character
  if (bytes >= text.size()) return text;
  auto end = bytes;
  while (end > 0 && bytes - end < longest && continues_character(text[end])) --end;
  return text.substr(0, end);
}

std::wstring to_wide(std::string_view text) {
  std::wstring wide;
  wide.reserve(text.size());
  while (!text.empty()) {
    auto next = first_character(text);
    if (next.bytes == 0) next = lone(text[0]);
    wide += static_cast<wchar_t>(next.code);
    text.remove_prefix(next.bytes);
  }
  return wide;
}

std::string to_utf8(std::wstring_view text) {
  std::string out;
  out.reserve(text.size());
  for (const wchar_t c : text) {
    const auto code = static_cast<char32_t>(c);
    if (code >= no_utf8 + 0x80 && code <= no_utf8 + 0xFF) out += static_cast<char>(code - no_utf8);
    else append_utf8(out, code);
  }
  return out;
}

}  // namespace troupe
