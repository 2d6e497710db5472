// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/utf8.hpp"

#include <iterator>

namespace troupe {

bool is_utf8(std::string_view text) noexcept {
  // By the first byte: its mark, how many bytes follow, and the least character so written.
  constexpr struct {
    unsigned mask, mark;
    std::size_t following;
    std::uint32_t least;
  } kinds[] = {
      {0x80, 0x00, 0, 0}, {0xe0, 0xc0, 1, 0x80}, {0xf0, 0xe0, 2, 0x800}, {0xf8, 0xf0, 3, 0x10000}};
  for (std::size_t at = 0; at < text.size();) {
    const unsigned first = static_cast<unsigned char>(text[at]);
    const auto* kind = kinds;
    while (kind != std::end(kinds) && (first & kind->mask) != kind->mark) ++kind;
    if (kind == std::end(kinds) || text.size() - at <= kind->following) return false;
    std::uint32_t character = first & ~kind->mask;
    for (std::size_t i = 1; i <= kind->following; ++i) {
      const unsigned next = static_cast<unsigned char>(text[at + i]);
      if ((next & 0xc0) != 0x80) return false;
      character = character << 6 | (next & 0x3f);
    }
    const bool surrogate = character >= 0xd800 && character < 0xe000;
    if (character < kind->least || character > 0x10ffff || surrogate) return false;
    at += kind->following + 1;
  }
  return true;
}

void append_utf8(std::string& text, std::uint32_t character) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto follow = [&](int shift) { add(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) {
    add(character);
  } else if (character < 0x800) {
    add(0xc0 | character >> 6);
    follow(0);
  } else if (character < 0x10000) {
    add(0xe0 | character >> 12);
    follow(6);
    follow(0);
  } else {
    add(0xf0 | character >> 18);
    follow(12);
    follow(6);
    follow(0);
  }
}

}  // namespace troupe
