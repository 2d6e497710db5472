// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/tensor/scalar.hpp"

// Pieces of a C++ program, and the kinds of values that they compute.

namespace troupe::shell::cpp {

struct function;

enum class kind : std::uint8_t {
  none,
  lost,  ///< the value of a loop, or of an `if` without `else`, at the end of a function
  truth,
  integer,
  real,
  array,
  text,
  dtype,
  device,
  range,
  list,    ///< as it is written: its items
  arrays,  ///< std::vector<tensor>
  sizes,   ///< shape
  pair,    ///< of two arrays
  function
};

// Binding of C++ operators. Of those below comparisons GCC wants parentheses, whatever binds first.
inline constexpr int of_choice = 0, of_comparison = 1, of_shift = 2, of_sum = 3, of_product = 4,
                     of_sign = 5, of_atom = 6;

/// A C++ expression.
struct value {
  kind is = kind::none;
  std::string text = {};
  int strength = of_atom;
  bool acts = false;      ///< it draws random numbers or prints: its turn matters
  bool variable = false;  ///< it is the name of one
  bool listed = false;    ///< an array in place of a list of numbers that a function is given
  std::optional<scalar> constant = {};
  std::vector<value> items = {};  ///< of a list; of a range start, stop and step, or none
  std::shared_ptr<cpp::function> function = {};
  std::optional<std::string> known_text = {};
};

/// Throws troupe::error: "no C++ can be written for this: ...".
[[noreturn]] void refuse(const std::string& facts, std::source_location where);

/// "an array", "an integer", ...
std::string_view name_of(kind k) noexcept;
/// "tensor", "std::int64_t", ...; empty if no variable can hold it.
std::string_view type_of(kind k) noexcept;
bool is_number(kind k) noexcept;

value constant_of(scalar x);
/// Two operands and what stands between them, or arguments in parentheses.
value operation(kind gives, const value& x, std::string_view sign, const value& y, int strength);
value call_of(std::string_view name, const std::vector<value>& arguments, kind gives);
value member_of(const value& x, std::string_view member, kind gives);
/// The text, in parentheses where the operator around it binds at least so strongly.
std::string within(const value& x, int strength);
std::string comma_list(const std::vector<value>& all);
/// The text with the type that its kind says: C++ takes 3 for an int.
std::string typed(const value& x);
std::string quoted(std::string_view text);
/// "std::cout << x << '\n';" with x as the shell shows it.
std::string show(const value& x, std::source_location where);

// Conversions that the language makes by itself. They throw where it is not known which.
value as_array(const value& x, std::source_location where);
value as_integer(const value& x, std::source_location where);
/// An integer where the library takes an int.
value as_int(const value& x, std::source_location where);
value as_condition(const value& x, std::source_location where);
/// A list of numbers is an array, a list of arrays a vector. Throws for what would be a list still.
value settled(value x, std::source_location where);

}  // namespace troupe::shell::cpp
