// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "troupe/tensor/scalar.hpp"

namespace troupe::shell {

struct cpp_function;

/// What an expression of the language is where it stands, as far as C++ has to know.
struct cpp_kind {
  enum class type : std::uint8_t {
    none,
    truth,
    integer,
    real,
    array,
    arrays,  ///< a list of arrays
    sizes,   ///< what x.shape gives
    text,
    dtype,
    device,
    range,
    pair,      ///< two arrays, of value_and_grad
    function,  ///< known which
    list,      ///< written there, item by item
    mixed      ///< one shell_value or another, as the program runs
  };

  type is = type::none;
  bool natural = false;              ///< an integer that is not negative
  bool listed = false;               ///< an array that may be a list of numbers in the language
  int count = -1;                    ///< of arrays; -1: not known
  int rank = -1;                     ///< of an array; -1: not known
  std::optional<scalar> constant{};  ///< a number that is known
  std::optional<std::string> known_text{};
  std::shared_ptr<cpp_function> function{};
  std::string facts{};  ///< of something mixed: why it is

  bool operator==(type t) const noexcept { return is == t; }
};

inline cpp_kind array_kind() { return {.is = cpp_kind::type::array}; }
cpp_kind number_kind(scalar constant);

bool is_number(const cpp_kind& k) noexcept;
/// What is known only here is forgotten: the kind stays, its value does not.
cpp_kind without_value(cpp_kind k);
/// Whether one C++ variable can hold both.
bool same_type(const cpp_kind& a, const cpp_kind& b) noexcept;
/// What holds whatever of the two it is, for kinds of the same type.
cpp_kind joined(const cpp_kind& a, const cpp_kind& b);

/// "std::int64_t"; empty if C++ has none but auto.
std::string_view cpp_type(const cpp_kind& k) noexcept;
/// "const tensor&"
std::string cpp_parameter_type(const cpp_kind& k);
/// "an integer"
std::string_view name_of(const cpp_kind& k) noexcept;

}  // namespace troupe::shell
