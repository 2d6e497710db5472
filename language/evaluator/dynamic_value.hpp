// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "troupe/devices/device.hpp"
#include "troupe/devices/dtype.hpp"
#include "troupe/tensor/index.hpp"
#include "troupe/tensor/program/program.hpp"
#include "troupe/tensor/scalar.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::language {

struct list;
struct function;
struct word;

/// Value of an expression. The first alternative is `none`, the last one a program's counter.
using dynamic_value =
    std::variant<std::monostate, scalar, tensor, std::string, dtype, device, range,
                 std::shared_ptr<const list>, std::shared_ptr<const function>, const word*,
                 std::shared_ptr<place>>;

/// List: `[a, b]`, `(2, 3)`, the result of `split`.
struct list {
  std::vector<dynamic_value> items;
  mutable bool mixed = false;  ///< known not to hold numbers alone
  mutable int depth = 0;       ///< lists within each other, itself included; 0: not known
  mutable std::shared_ptr<void> room = {};  ///< of a host that counts the items of lists
};

/// Throws if more lists lie within each other than can be shown or compared.
void check_depth(const list& x, caller where);

/// Values that a function keeps: those around its definition, or the function that it is made of.
/// However many functions keep one another, they end one after the other.
struct kept_values {
  explicit kept_values(std::vector<dynamic_value> values) : all(std::move(values)) {}
  kept_values(const kept_values&) = delete;
  kept_values& operator=(const kept_values&) = delete;
  ~kept_values();

  std::vector<dynamic_value> all;
};

/// Function: `x -> x * x`, or the result of `def` or `grad`.
struct function {
  // Whoever puts others in the places of what it keeps lets it go on with those. They end last.
  std::shared_ptr<kept_values> kept = {};
  std::shared_ptr<program> only_program = {};  ///< the one that it is, whatever the arguments
  std::string name;                            ///< for messages: "f", "the function"
  std::string text;  ///< the call or the definition: "f(a, b)", "x -> ..."
  std::size_t parameters;
  std::function<dynamic_value(std::vector<dynamic_value> arguments, caller where)> call;
  std::function<std::string()> explain = {};  ///< of a compiled function and a program
  /// Returns the program for such arguments; absent where the function is not compiled.
  std::function<program(const std::vector<dynamic_value>& arguments, caller where)> as_program = {};
};

/// Returns the name of a value in messages: "a number", "float32[2,3]", "a list".
std::string describe(const dynamic_value& x);

/// Converts a number, a list of numbers or a range to an array; stacks a list that has arrays in
/// it. `what` names the caller in errors. Throws for everything else.
tensor to_array(const dynamic_value& x, const std::string& what, caller where);
/// The same, as an array of a dtype. Throws if a number is none of the dtype.
tensor to_array(const dynamic_value& x, dtype element, const std::string& what, caller where);
/// Returns true if `to_array` may accept it.
bool is_array_like(const dynamic_value& x) noexcept;

/// Converts a list of numbers to an array; returns any other list as it is.
dynamic_value settled_list(dynamic_value x, caller where);

/// Joins two lists. Returns nothing if either is no list, or if both are written literally and hold
/// only numbers and arrays, at least one each: such lists are arrays.
std::optional<dynamic_value> joined_lists(const dynamic_value& x, bool x_written,
                                          const dynamic_value& y, bool y_written);

/// Returns the truth of a number, or of the only element of an array, which is waited for.
bool to_truth(const dynamic_value& x, const std::string& what, caller where);
/// Returns an integer: a number, or the only element of an array of integers, which is waited for.
std::int64_t to_integer(const dynamic_value& x, const std::string& what, caller where);

/// Converts nested lists of numbers to an array: complex128 if there is a complex number among
/// them, else float64 if there is a real one, else int64 if there is an integer, else bool. Returns
/// nothing if they hold anything but numbers. Throws for rows of different lengths.
std::optional<tensor> numbers_of(const list& items, const std::string& what, caller where);

/// Throws if a number, or one in nested lists, is none of a dtype.
void check_fit(const dynamic_value& x, dtype element, const std::string& what, caller where);

}  // namespace troupe::language
