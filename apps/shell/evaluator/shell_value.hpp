// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "troupe/devices/device.hpp"
#include "troupe/devices/dtype.hpp"
#include "troupe/tensor/index.hpp"
#include "troupe/tensor/scalar.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::shell {

struct list;
struct function;
struct word;

/// What an expression gives. The first is `none`.
using shell_value =
    std::variant<std::monostate, scalar, tensor, std::string, dtype, device, range,
                 std::shared_ptr<const list>, std::shared_ptr<const function>, const word*>;

/// `[a, b]`, `(2, 3)` and what `split` gives.
struct list {
  std::vector<shell_value> items;
};

/// `x -> x * x`, what `def` makes and what `grad` gives.
struct function {
  std::string name;  ///< for messages: "f", "the function"
  std::string text;  ///< how it is called or was written: "f(a, b)", "x -> ..."
  std::size_t parameters;
  std::function<shell_value(std::vector<shell_value> arguments, caller where)> call;
};

/// "a number", "float32[2,3]", "a list": what a shell_value is called in messages.
std::string describe(const shell_value& x);

/// A number, list of numbers or range as an array; of a list with arrays in it, they are stacked.
/// `what` names who wants it. Throws for everything else.
tensor to_array(const shell_value& x, const std::string& what, caller where);
/// Whether `to_array` may do.
bool is_array_like(const shell_value& x) noexcept;

/// A list of numbers as an array, a list of anything else as it is.
shell_value settled_list(shell_value x, caller where);

/// The items of two lists, one after the other. Nothing if one is no list, or if both are written
/// out where they stand and hold numbers and arrays, at least one each: such lists are arrays.
std::optional<shell_value> joined_lists(const shell_value& x, bool x_written, const shell_value& y,
                                        bool y_written);

/// One truth: of a number, or of the only element of an array, which is waited for.
bool to_truth(const shell_value& x, const std::string& what, caller where);
/// An integer, of a number or of the only element of an array of integers, which is waited for.
std::int64_t to_integer(const shell_value& x, const std::string& what, caller where);

}  // namespace troupe::shell
