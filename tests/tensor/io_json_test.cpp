// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/json_reader.hpp"
#include "troupe/tensor/io/utf8.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe {

namespace {

const file_call call{"test", "file", std::source_location::current()};

/// Returns the error that reading throws, after "its header makes no sense at character ".
template <class F>
std::string refusal(std::string_view text, F&& read) {
  json_reader in(text, call);
  try {
    read(in);
    in.end();
  } catch (const error& e) {
    const std::string said = e.what(), start = "character ";
    const auto begin = said.find(start) + start.size();
    return said.substr(begin, said.rfind(" (") - begin);
  }
  return "";
}

std::string string_of(std::string_view text) {
  json_reader in(text, call);
  auto out = in.string();
  in.end();
  return out;
}

std::string refused_string(std::string_view text) {
  return refusal(text, [](json_reader& in) { in.string(); });
}

std::string refused_number(std::string_view text) {
  return refusal(text, [](json_reader& in) { in.whole_number(); });
}

}  // namespace

TEST_CASE("JSON strings are read with all their escapes") {
  CHECK(string_of("\"\"") == "");
  CHECK(string_of(" \"a b\" ") == "a b");
  CHECK(string_of(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  CHECK(string_of(R"("\u0041\u00e4\u20AC\ud834\udd1e")") ==
        "A\xc3\xa4\xe2\x82\xac\xf0\x9d\x84\x9e");
  CHECK(string_of(R"("\u0000")") == std::string(1, '\0'));
}

TEST_CASE("invalid JSON strings are refused") {
  CHECK(refused_string("a") == "1: no string");
  CHECK(refused_string("\"a") == "3: a string without an end");
  CHECK(refused_string("\"a\\") == "4: an escape that JSON does not have");
  CHECK(refused_string("\"\\x\"") == "4: an escape that JSON does not have");
  CHECK(refused_string("\"\\u12\"") == "4: no four hexadecimal digits");
  CHECK(refused_string("\"\\u-123\"") == "4: no four hexadecimal digits");
  CHECK(refused_string("\"\\ud800\"") == "8: half a surrogate pair");
  CHECK(refused_string("\"\\udc00\"") == "8: half a surrogate pair");
  CHECK(refused_string("\"\\ud800\\u0041\"") == "14: half a surrogate pair");
  CHECK(refused_string("\"a\nb\"") == "3: a control character in a string");
  CHECK(refused_string("\"\xff\"") == "4: a string that is not UTF-8");
  CHECK(refused_string("\"\" x") == "4: more text");
}

TEST_CASE("JSON numbers are whole and fit 63 bits") {
  json_reader in("0 7 9223372036854775807", call);
  CHECK(in.whole_number() == 0);
  CHECK(in.whole_number() == 7);
  CHECK(in.whole_number() == INT64_MAX);
  CHECK(refused_number("9223372036854775808") == "1: a number beyond int64");
  CHECK(refused_number("-1") == "1: no whole number");
  CHECK(refused_number("-0") == "1: no whole number");
  CHECK(refused_number("007") == "1: a number that begins with 0");
  CHECK(refused_number("1.5") == "2: more text");
  CHECK(refused_number("1e3") == "2: more text");
  CHECK(refused_number("+1") == "1: no whole number");
  CHECK(refused_number("") == "1: no whole number");
}

TEST_CASE("JSON objects and arrays have commas between their members, and only there") {
  const auto list = [](json_reader& in) { in.array([&] { in.whole_number(); }); };
  CHECK(refusal("[]", list) == "");
  CHECK(refusal("[ 1 , 2 ]", list) == "");
  CHECK(refusal("[1,]", list) == "4: no whole number");
  CHECK(refusal("[1 2]", list) == "4: no ']'");
  CHECK(refusal("[,1]", list) == "2: no whole number");
  CHECK(refusal("[1", list) == "3: no ']'");
  const auto object = [](json_reader& in) {
    in.object([&](const std::string&) { in.whole_number(); });
  };
  CHECK(refusal("{}", object) == "");
  CHECK(refusal("{\"a\":1,\"b\":2}", object) == "");
  CHECK(refusal("{\"a\":1,}", object) == "8: no string");
  CHECK(refusal("{\"a\" 1}", object) == "6: no ':'");
  CHECK(refusal("{a:1}", object) == "2: no string");
  CHECK(refusal("{\"a\":1", object) == "7: no '}'");
}

TEST_CASE("strings written by json_string read back unchanged") {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "\xc3\xa4\xe2\x82\xac\xf0\x9d\x84\x9e";
  CHECK(string_of(json_string(all)) == all);
}

TEST_CASE("valid UTF-8 is distinguished from invalid bytes") {
  for (std::uint32_t c :
       {0u, 0x7fu, 0x80u, 0x7ffu, 0x800u, 0xd7ffu, 0xe000u, 0xffffu, 0x10000u, 0x10ffffu}) {
    std::string text;
    append_utf8(text, c);
    CHECK(is_utf8(text));
    CHECK_FALSE(is_utf8(text.substr(0, text.size() - 1) + (text.size() > 1 ? "a" : "\x80")));
    if (text.size() > 1) CHECK_FALSE(is_utf8(text.substr(0, text.size() - 1)));
  }
  for (const auto* bad : {"\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                          "\xf8\x88\x80\x80\x80", "\xff"})
    CHECK_FALSE(is_utf8(bad));
}

}  // namespace troupe
