// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/language/syntax/syntax_tree.hpp"
#include "troupe/tensor/scalar.hpp"

namespace troupe::shell {

class session;

namespace cpp {

using namespace language;

struct function;

/// Kind of a value of the language, which decides what C++ it becomes.
enum class kind : std::uint8_t {
  none,
  lost,  ///< a loop, or an `if` without `else`, at the end of a function
  truth,
  integer,
  real,
  array,
  text,
  dtype,
  device,
  range,
  list,    ///< literal: its items
  arrays,  ///< std::vector<tensor>
  sizes,   ///< shape
  function
};

// Binding strength of C++ operators. Below comparisons GCC asks for parentheses in any case.
inline constexpr int of_choice = 0, of_comparison = 1, of_shift = 2, of_sum = 3, of_product = 4,
                     of_sign = 5, of_atom = 6;

/// A C++ expression.
struct value {
  kind is = kind::none;
  std::string text = {};
  int strength = of_atom;
  bool variable = false;  ///< it is the name of one
  bool counter = false;   ///< the variable of a loop, which its body may not change
  std::optional<scalar> constant = {};
  std::vector<value> items = {};  ///< of a list; of a range start, stop and step, or none
  std::shared_ptr<cpp::function> function = {};
};

/// Throws troupe::error: "no C++ can be written for this: ...".
[[noreturn]] void refuse(const std::string& facts, std::source_location where);

/// Returns "an array", "an integer", ...
std::string name_of(kind k);
/// Returns "tensor", "std::int64_t", ...; empty if no variable can hold the kind.
std::string type_of(kind k);
bool is_number(kind k) noexcept;

/// Writes a literal. Refuses complex numbers and integers above those of int64.
value constant_of(scalar x, std::source_location where = {});
/// Writes an operator between two operands.
value operation(kind gives, const value& x, std::string_view sign, const value& y, int strength);
/// Writes a call of a function.
value call_of(std::string_view name, const std::vector<value>& arguments, kind gives);
/// Writes what follows a dot behind a value, such as a call of a member.
value member_of(const value& x, std::string_view member, kind gives);
/// Returns the text, in parentheses if an operator of that strength around it needs them.
std::string within(const value& x, int strength);
/// Returns the texts with commas between them.
std::string comma_list(const std::vector<value>& all);
/// Returns the text with the type of its kind: C++ takes 3 for an int.
std::string typed(const value& x);
/// Returns a string literal.
std::string quoted(std::string_view text);
/// Writes "std::cout << x << '\n';" with x as the shell shows it.
std::string show(const value& x, std::source_location where);

// Implicit conversions of the language. They throw where it is not known which.
value as_array(const value& x, std::source_location where);
value as_integer(const value& x, std::source_location where);
/// Writes an integer where the library takes an int.
value as_int(const value& x, std::source_location where);
value as_condition(const value& x, std::source_location where);
/// Makes an array of a list of numbers and a vector of a list of arrays. Returns others as they
/// are.
value settled(value x, std::source_location where);

/// Main, or a C++ lambda that is being written.
struct frame {
  frame* around = nullptr;  ///< the function around it, whose variables are visible; null: main
  std::string_view source = {};    ///< the input
  std::string_view compound = {};  ///< the statement whose braces are open
  std::vector<std::string> lines = {};
  std::size_t statement = 0;  ///< first line of the current outermost statement
  std::map<symbol, value> variables = {};
  std::vector<std::vector<symbol>> locals = {};  ///< of each open brace
  std::set<std::string> changed = {};            ///< variables assigned again
};

/// Function of the language, written at each call for the kinds of its arguments. Calls that give
/// the same text share one lambda.
struct function {
  std::vector<symbol> parameters = {};
  std::shared_ptr<const block> body = {};         ///< of `def`
  std::shared_ptr<const expression> result = {};  ///< of a lambda
  const word* builtin = nullptr;
  frame* around = nullptr;
  std::string_view source = {};  ///< the input that defines it
  std::string name = {};         ///< the first variable that it was assigned to
};

/// Writer of inputs as the statements of a C++ `main`. It follows the statements in turn, so the
/// kind of each value is known; it refuses statements where that is not enough.
class writer {
 public:
  /// Makes a writer. `source` is the text of all inputs.
  writer(symbol_table& symbols, std::string_view source);

  /// Writes an input, of which `source` is the text.
  void add(const block& statements, std::string_view source);
  void line(const std::string& text) { emit(text); }
  /// Returns the statements of main.
  std::string text() const;

 private:
  // Statements.
  void run(const statement& s, value* result = nullptr);
  void run_block(const block& statements, value* result = nullptr);
  void execute(const assignment& s, value* result);
  void execute(const evaluation& s, value* result);
  void execute(const declaration& s, value* result);
  void execute(const definition& s, value* result);
  void execute(const repetition& s, value* result);
  void execute(const iteration& s, value* result);
  void execute(const conditional_loop& s, value* result);
  void execute(const jump& s, value* result);
  void execute(const language::choice& s, value* result);
  void execute(const placement& s, value* result);
  void execute(const in_order& s, value* result);
  void execute(const timing& s, value* result);
  void execute(const waiting& s, value* result);
  void execute(const printing& s, value* result);
  void execute(const removal& s, value* result);
  void assign(symbol name, value x, std::source_location where);
  void give_result(const value& x, value& result, std::source_location where);
  void unpack(const assignment& s);
  std::vector<value> parts_of(const expression& e, std::size_t names);
  void count_turns(const std::string& name, const value& from, const value& to, std::int64_t step);
  void count_over(const iteration& s, const value& over);
  void run_loop(const block& body);
  void open_braces(const std::string& head);
  void close_braces();

  // Expressions.
  value write(const expression& e);
  value write(const number_literal& x, const expression& e);
  value write(const text_literal& x, const expression& e);
  value write(const none_literal& x, const expression& e);
  value write(const auto&, const expression& e) {
    refuse("newaxis or ... without brackets, or an output without a name", e.call_site);
  }
  value write(const name_use& x, const expression& e);
  value write(const sequence_literal& x, const expression& e);
  value write(const unary& x, const expression& e);
  value write(const binary& x, const expression& e);
  value write(const slice_literal& x, const expression& e);
  value write(const call_expression& x, const expression& e);
  value write(const attribute& x, const expression& e);
  value write(const subscript& x, const expression& e);
  value write(const replacement& x, const expression& e);
  value write(const conditional& x, const expression& e);
  value write(const lambda& x, const expression& e);
  std::vector<value> write_all(std::span<const expression* const> all);
  value compute(binary_operator op, value x, value y, std::source_location where);
  value compute_numbers(binary_operator op, value x, value y, std::source_location where);
  value write_condition(const expression& e);
  value item_of(const value& x, const value& at, std::source_location where);
  std::vector<value> indices_of(const std::vector<expression>& items, std::source_location where);
  value with_part(const value& x, const std::vector<expression>& items, const std::string& how,
                  const value& given, std::source_location where);
  value part_of(const value& x, const std::vector<expression>& items, std::source_location where);

  // Functions.
  value call_function(const function& f, std::vector<value> arguments, std::source_location where);
  value lambda_of(const function& f, const std::vector<value>& arguments,
                  std::source_location where);

  // Names.
  const value* find(symbol name);
  std::string unused_name(std::string_view base);
  value fresh(std::string_view base, const value& x);
  void emit(const std::string& text);
  static std::size_t insert(frame& f, std::size_t at, const std::string& text, std::size_t indent);
  static void emit_before(frame& f, const std::string& text);

  symbol_table& symbols_;
  std::string_view all_text_;
  frame main_;
  frame* frame_ = &main_;
  std::set<std::string> names_;                                         // variables of C++
  std::set<const function*> open_;                                      // functions being written
  std::map<std::pair<std::string, std::string>, std::string> written_;  // lambdas, by name and text
  bool quiet_ = false;    // the statement ends in a semicolon
  bool in_time_ = false;  // within `time`, inside of the innermost loop
  int nesting_ = 0;       // of blocks around the statement
  int in_order_ = 0;
  int calls_ = 0;
  int acts_ = 0;  // random draws and prints written so far
};

/// Writes a call of a word of the language.
value call_word(const word& what, std::vector<value> given,
                std::vector<std::pair<std::string, value>> named, std::source_location where);

/// Returns the number of times that a name stands in inputs.
std::size_t mentions(std::string_view text, std::string_view name);
/// Returns true if C++ or the library needs a name, so that no variable of a program can have it.
bool is_reserved(std::string_view name);

/// Input of a session, or a new seed of its random numbers.
struct step {
  std::string source = {};
  block statements = {};
  std::optional<std::uint64_t> seed = {};
};

/// Returns a C++ program that does the same as the inputs and prints the values they show. It
/// compiles against troupe.hpp and runs on the devices and nodes of these options. Throws
/// troupe::error, naming the place, for statements without C++.
std::string program_of(symbol_table& symbols, const std::vector<step>& steps,
                       const runtime_options& on);
/// Returns the program of a session's inputs.
std::string program_of(session& s);

}  // namespace cpp
}  // namespace troupe::shell
