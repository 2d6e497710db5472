// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/cpp_writer/cpp_kind.hpp"

namespace troupe::shell {

/// How strongly C++ expressions hold together.
namespace cpp_strength {
inline constexpr int atom = 16, sign = 15, product = 13, sum = 12, shift = 11, order = 9,
                     equality = 8, bit_and = 7, bit_xor = 6, bit_or = 5, both = 4, either = 3,
                     choice = 2;
}

struct cpp_range_ends;

/// An expression as C++.
struct cpp_value {
  cpp_kind kind = {};
  std::string text = {};
  int strength = cpp_strength::atom;
  bool narrow = false;                        ///< a C++ int, whose value is known
  bool draws = false;                         ///< random numbers
  bool acts = false;                          ///< calls something
  bool fresh = false;                         ///< a function that is made there
  bool reference = false;                     ///< a function that is called by its own name
  bool held = false;                          ///< in a variable
  bool plain = false;                         ///< a name or a literal, that may be written twice
  std::vector<cpp_value> items = {};          ///< of a list that is written there
  std::shared_ptr<cpp_range_ends> ends = {};  ///< of a range that is written there
  std::source_location where = {};
};

struct cpp_range_ends {
  std::optional<cpp_value> start, stop, step;
};

/// In parentheses if it holds together less strongly than that.
std::string within(const cpp_value& x, int strength);
/// "f(a, b)", which does what its arguments do.
cpp_value cpp_call_of(std::string_view function, const std::vector<cpp_value>& arguments,
                      cpp_kind gives);
/// "x.f"
cpp_value cpp_member_of(const cpp_value& x, std::string_view member, cpp_kind gives);
/// `x op y`, of operands that C++ takes as they are.
cpp_value cpp_binary_of(std::string_view op, int strength, const cpp_value& x, const cpp_value& y,
                        cpp_kind gives);

cpp_value cpp_number(scalar number);
cpp_value cpp_text(const std::string& text);
/// With quotes and escapes.
std::string quoted(std::string_view text);
/// "a, b"
std::string comma_list(const std::vector<std::string>& texts);
/// The value of an integer that is known.
std::optional<std::int64_t> known_integer(const cpp_value& x) noexcept;

/// Throws an error about an expression that has no place in C++.
[[noreturn]] void refuse(const std::string& facts, std::source_location where);

}  // namespace troupe::shell
