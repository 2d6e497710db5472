// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <clocale>
#include <string>

#include "troupe/text/display_width.hpp"
#include "troupe/text/edit_distance.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/text/quoted.hpp"
#include "troupe/text/utf8.hpp"

using namespace troupe;

TEST_CASE("the width of a text is what it takes on the screen") {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  CHECK(display_width("") == 0);
  CHECK(display_width("abc") == 3);
  CHECK(display_width("\xC3\xA9") == 1);
  CHECK(display_width("e\xCC\x81") == 1);
  CHECK(display_width("\xE6\xBC\xA2\xE5\xAD\x97") == 4);
  CHECK(display_width("\xF0\x9F\x98\x80") == 2);
}

TEST_CASE("each byte that is not UTF-8 counts one") {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  CHECK(display_width("\xff\xfe") == 2);
  CHECK(display_width("a\xC3") == 2);
  CHECK(display_width("\xC0\xAF") == 2);      // a slash, written too long
  CHECK(display_width("\xED\xA0\x80") == 3);  // half of a pair
  CHECK(display_width(std::string_view("\0", 1)) == 1);
}

TEST_CASE("the beginning of a text that fits ends with a whole character") {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  CHECK(first_columns("abc", 2) == "ab");
  CHECK(first_columns("\xE6\xBC\xA2\xE5\xAD\x97", 3) == "\xE6\xBC\xA2");
  CHECK(first_columns("e\xCC\x81x", 1) == "e\xCC\x81");
  CHECK(first_columns("abc", 80) == "abc");
  CHECK(first_columns("abc", -1).empty());
  CHECK(first_bytes("a\xC3\xA9", 2) == "a");
  CHECK(first_bytes("\x80\x80\x80\x80\x80\x80", 5).size() == 1);  // is none
}

TEST_CASE("what is blank under a text is as wide") {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  CHECK(blanks_under("").empty());
  CHECK(blanks_under("a\xC3\xA9\xE6\xBC\xA2") == "    ");
  CHECK(blanks_under("\tab\t\tc") == "\t  \t\t ");
}

TEST_CASE("text comes back from its wide form as it was") {
  std::string every;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; second += 5) {
      every += static_cast<char>(first);
      every += static_cast<char>(second);
    }
  }
  for (const auto& text :
       {every, std::string("caf\xC3\xA9 \xF0\x9F\x98\x80"), std::string("\xF0\x9F")})
    CHECK(to_utf8(to_wide(text)) == text);
  CHECK(to_wide("\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80").size() == 3);
}

TEST_CASE("the first character of a text is decoded, or known to be incomplete") {
  CHECK(first_character("ab").code == U'a');
  CHECK(first_character("\xC3\xA9x").code == U'\u00e9');
  CHECK(first_character("\xC3\xA9x").bytes == 2);
  CHECK(first_character("\xE6\xBC").bytes == 0);
  const auto lone = first_character("\xFFx");
  CHECK(lone.code == 0xDCFF);
  CHECK(lone.bytes == 1);
  CHECK_FALSE(lone.valid);
}

TEST_CASE("quoted text has no control characters, of ASCII or beyond") {
  CHECK(quoted("caf\xC3\xA9") == "\"caf\xC3\xA9\"");
  CHECK(quoted("a\nb\x1b[31m\x7f") == R"("a\x0ab\x1b[31m\x7f")");
  CHECK(on_one_line("\xC2\x9b") == R"(\xc2\x9b)");  // begins a sequence, as ESC [ does
  CHECK(on_one_line("\x9b"
                    "31m") == R"(\x9b31m)");
  CHECK(on_one_line("plain") == "plain");
}

TEST_CASE("long text is quoted up to its 64th byte, in whole characters") {
  CHECK(quoted(std::string(64, 'x')) == '"' + std::string(64, 'x') + '"');
  CHECK(quoted(std::string(65, 'x')) == '"' + std::string(64, 'x') + "...\"");
  CHECK(quoted(std::string(63, 'x') + "\xC3\xA9") == '"' + std::string(63, 'x') + "...\"");
}

TEST_CASE("JSON strings are UTF-8 whatever the text is") {
  CHECK(json_text("a\"\\\n\t\x01") == R"("a\"\\\n\t\u0001")");
  CHECK(json_text("caf\xC3\xA9 \xFF") == "\"caf\xC3\xA9 \xEF\xBF\xBD\"");
  CHECK(json_text("\xE6\xBC") == "\"\xEF\xBF\xBD\"");
}

TEST_CASE("durations and bytes have the unit that suits their size") {
  CHECK(duration_text(1.5) == "1.50 s");
  CHECK(duration_text(2e-3) == "2.00 ms");
  CHECK(duration_text(-2e-6) == "-2.00 us");
  CHECK(duration_text(0) == "0 ns");
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(1023) == "1023 B");
  CHECK(bytes_text(1536) == "1.5 KiB");
  CHECK(bytes_text(8.0 * (1 << 20)) == "8.0 MiB");
  CHECK(bytes_text(0x1p60) == "1024.0 PiB");
  CHECK(count_text(1, "byte") == "1 byte");
  CHECK(count_text(0, "byte") == "0 bytes");
}

TEST_CASE("a swap of neighbours is one mistake") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("wieght", "weight") == 1);
  CHECK(edit_distance("sum", "sume") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}
