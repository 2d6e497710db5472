// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "troupe/tensor/io/file_call.hpp"

namespace troupe {

/// Reads JSON (RFC 8259) whose structure the caller knows, from its first to its last character.
/// Whatever is not what is asked for throws, naming its place. Only what headers are made of:
/// objects, arrays, strings and whole numbers. It calls nothing but itself for what the caller asks
/// for, so no text makes it go deep.
class json_reader {
 public:
  json_reader(std::string_view text, const file_call& call) noexcept : text_(text), call_(call) {}

  /// Calls `member(key)` for each member of an object; it has to read the value.
  template <class F>
  void object(F&& member) {
    expect('{');
    if (accept('}')) return;
    do {
      auto key = string();
      expect(':');
      member(std::move(key));
    } while (accept(','));
    expect('}');
  }

  /// Calls `element()` for each element of an array; it has to read it.
  template <class F>
  void array(F&& element) {
    expect('[');
    if (accept(']')) return;
    do element();
    while (accept(','));
    expect(']');
  }

  /// A string, of which UTF-8 comes out.
  std::string string();
  /// A number from 0 to 2^63 - 1, without sign, fraction and exponent.
  std::int64_t whole_number();
  /// Nothing but space is left.
  void end();

  [[noreturn]] void fail(std::string_view facts) const;

 private:
  bool accept(char c) noexcept;
  void expect(char c);
  void skip_space() noexcept;
  void escape(std::string& out);
  std::uint32_t four_digits();

  std::string_view text_;
  std::size_t at_ = 0;
  const file_call& call_;
};

/// A string as JSON has it, in quotes. `text` is UTF-8.
std::string json_string(std::string_view text);

}  // namespace troupe
