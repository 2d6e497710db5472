// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "troupe/language/syntax/lexer.hpp"
#include "troupe/tasks/shape.hpp"
#include "troupe/tensor/scalar.hpp"

// Syntax tree of an input: statements, made of expressions.

namespace troupe::language {

/// Name as a number, so that looking it up is an index.
using symbol = std::uint32_t;

/// Table of the names that inputs have used.
class symbol_table {
 public:
  symbol of(std::string_view name);
  const std::string& name(symbol s) const noexcept { return names_[s]; }
  std::size_t size() const noexcept { return names_.size(); }

 private:
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, symbol> numbers_;
};

enum class unary_operator : std::uint8_t { negative, positive, invert, negation };

enum class binary_operator : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  remainder,
  power,
  matmul,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  left_shift,
  right_shift,
  both,   ///< `and`: the second operand counts only if the first is true
  either  ///< `or`
};

struct expression;
struct statement;
using expression_ptr = std::unique_ptr<expression>;
using block = std::vector<statement>;

struct number_literal {
  scalar value;
};
struct text_literal {
  std::string value;
};
struct none_literal {};
struct new_axis_literal {};
/// `...` in brackets: as many whole axes as needed.
struct rest_literal {};
struct name_use {
  symbol name;
};
/// `_` or `_3`: an output.
struct output_use {
  std::uint64_t number;  ///< 0: the last one
};
/// `[a, b]` or `(a, b)`.
struct sequence_literal {
  std::vector<expression> items;
};
struct unary {
  unary_operator op;
  expression_ptr x;
};
struct binary {
  binary_operator op;
  expression_ptr x, y;
};
/// `start:stop:step`, of which any may be absent.
struct slice_literal {
  expression_ptr start, stop, step;
};
struct named_argument {
  symbol name;
  text_span span;
  expression_ptr value;
};
/// `f(a, b, axis=1)`. Of `x.f(a)` the object is the first argument.
struct call_expression {
  expression_ptr function;
  std::vector<expression> arguments;
  std::vector<named_argument> named;
};
/// `x.T`
struct attribute {
  expression_ptr object;
  symbol name;
};
/// `x[1:3, 0]`
struct subscript {
  expression_ptr object;
  std::vector<expression> items;
};
/// The array that `x[1:3] = y`, or `x[1:3] += y`, gives the name.
struct replacement {
  expression_ptr part;  ///< a subscript of a name
  std::optional<binary_operator> op;
  expression_ptr value;
};
/// `a if n > 0 else b`: one of the two is computed.
struct conditional {
  expression_ptr when_true, condition, when_false;
};
/// `x -> x * x`
struct lambda {
  std::vector<symbol> parameters;
  std::shared_ptr<const expression> body;
};

struct expression {
  std::variant<number_literal, text_literal, none_literal, new_axis_literal, rest_literal, name_use,
               output_use, sequence_literal, unary, binary, slice_literal, call_expression,
               attribute, subscript, replacement, conditional, lambda>
      node;
  text_span span;
  std::source_location call_site;  ///< for the library, whose errors and traces name it
  std::uint16_t height = 1;        ///< of the tree
};

/// Returns the `x.at[k]` of a call `x.at[k].add(v)`, and its `x`; null for other calls.
inline std::pair<const subscript*, const expression*> part_to_change(const call_expression& call,
                                                                     const symbol_table& names) {
  const auto* method = std::get_if<attribute>(&call.function->node);
  const auto* part = method ? std::get_if<subscript>(&method->object->node) : nullptr;
  const auto* place = part ? std::get_if<attribute>(&part->object->node) : nullptr;
  if (!place || names.name(place->name) != "at") return {nullptr, nullptr};
  return {part, place->object.get()};
}

/// Returns true for a literal list, such as `[1, 2]`.
inline bool is_written_list(const expression& e) noexcept {
  return std::holds_alternative<sequence_literal>(e.node);
}

/// `c = a + b`, `a, b = split(x, 2)`, `c += 1`
struct assignment {
  std::vector<symbol> targets;
  std::optional<binary_operator> op;
  expression value;
  std::source_location call_site;  ///< of the targets
};
/// An expression on its own: its value is shown.
struct evaluation {
  expression value;
};
/// `float32[2, 3]`, as a parameter's type.
struct array_type {
  dtype element;
  shape dims;

  bool operator==(const array_type&) const = default;
};
/// `a`, `a: float32[2, 3]`
struct parameter_declaration {
  symbol name;
  text_span span;
  std::optional<array_type> type = {};
};
inline std::vector<symbol> names_of(const std::vector<parameter_declaration>& parameters) {
  std::vector<symbol> out;
  for (const auto& one : parameters) out.push_back(one.name);
  return out;
}
/// `variable w: float32[2, 3]`, `constant c: float32[3]`, `counter n: int64[]`: an array that a
/// program is given with its text. Only a variable can be assigned.
struct declaration {
  enum class kind : std::uint8_t { variable, constant, counter };

  symbol name;
  array_type type;
  kind is;
  std::source_location call_site;
};
/// `def f(a, b) { … }`
struct definition {
  symbol name;
  std::vector<parameter_declaration> parameters;
  std::shared_ptr<const block> body;
};
struct repetition {
  expression count;
  block body;
};
struct iteration {
  symbol name;
  expression over;
  block body;
};
/// `while x > 0 { … }`
struct conditional_loop {
  expression condition;
  block body;
};
/// `break` and `continue`, of the loop around it.
struct jump {
  bool ends_loop;
  std::source_location call_site;
};
struct choice {
  expression condition;
  block when_true, when_false;
};
/// `on cpu(1) { … }`
struct placement {
  expression device;
  block body;
};
/// `in_order { … }`: each operation is waited for before the next is submitted.
struct in_order {
  block body;
};
/// `time { … }`
struct timing {
  block body;
};
/// `wait a, b`; with nothing: for everything
struct waiting {
  std::vector<expression> values;
};
/// `print a, b`: shows the values, also within braces.
struct printing {
  std::vector<expression> values;
};
/// `del a`
struct removal {
  std::vector<symbol> names;
};

struct statement {
  std::variant<assignment, evaluation, declaration, definition, repetition, iteration,
               conditional_loop, jump, choice, placement, in_order, timing, waiting, printing,
               removal>
      node;
  text_span span;
  bool quiet = false;  ///< ends in a semicolon: nothing is shown
};

}  // namespace troupe::language
