// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/json_reader.hpp"

#include <algorithm>
#include <charconv>

#include "troupe/tensor/io/utf8.hpp"

namespace troupe {

namespace {

constexpr std::string_view escapes = "\"\\/bfnrt", escaped = "\"\\/\b\f\n\r\t";

bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20; }

}  // namespace

void json_reader::fail(std::string_view facts) const {
  call_.fail("its header makes no sense at character " + std::to_string(at_ + 1) + ": " +
             std::string(facts));
}

void json_reader::skip_space() noexcept {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
}

bool json_reader::accept(char c) noexcept {
  skip_space();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void json_reader::expect(char c) {
  if (!accept(c)) fail(std::string("no '") + c + "'");
}

void json_reader::end() {
  skip_space();
  if (at_ != text_.size()) fail("more text");
}

std::string json_reader::string() {
  if (!accept('"')) fail("no string");
  std::string out;
  while (true) {
    auto stop = at_;
    while (stop < text_.size() && text_[stop] != '"' && text_[stop] != '\\' &&
           !is_control(text_[stop]))
      ++stop;
    out += text_.substr(at_, stop - at_);
    at_ = stop;
    if (stop == text_.size()) fail("a string without an end");
    if (is_control(text_[stop])) fail("a control character in a string");
    ++at_;
    if (text_[stop] == '"') break;
    escape(out);
  }
  if (!is_utf8(out)) fail("a string that is not UTF-8");
  return out;
}

void json_reader::escape(std::string& out) {
  const char c = at_ < text_.size() ? text_[at_++] : '\0';
  if (c != 'u') {
    const auto which = escapes.find(c);
    if (which == std::string_view::npos) fail("an escape that JSON does not have");
    out += escaped[which];
    return;
  }
  auto character = four_digits();
  if (character >= 0xd800 && character < 0xdc00 && text_.substr(at_, 2) == "\\u") {
    at_ += 2;
    const auto low = four_digits();
    if (low < 0xdc00 || low >= 0xe000) fail("half a surrogate pair");
    character = 0x10000 + ((character - 0xd800) << 10) + (low - 0xdc00);
  }
  if (character >= 0xd800 && character < 0xe000) fail("half a surrogate pair");
  append_utf8(out, character);
}

std::uint32_t json_reader::four_digits() {
  const auto digits = text_.substr(at_, 4);
  std::uint32_t out = 0;
  const auto end = digits.data() + digits.size();
  if (digits.size() < 4 || std::from_chars(digits.data(), end, out, 16).ptr != end)
    fail("no four hexadecimal digits");
  at_ += 4;
  return out;
}

std::int64_t json_reader::whole_number() {
  skip_space();
  const auto digits = text_.substr(at_);
  std::int64_t out = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (problem == std::errc::result_out_of_range) fail("a number beyond int64");
  if (problem != std::errc{} || digits[0] == '-') fail("no whole number");
  const auto length = static_cast<std::size_t>(end - digits.data());
  if (digits[0] == '0' && length > 1) fail("a number that begins with 0");
  at_ += length;
  return out;
}

std::string json_string(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += {'\\', c};
    else if (is_control(c)) out += {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
    else out += c;
  }
  return out + '"';
}

}  // namespace troupe
