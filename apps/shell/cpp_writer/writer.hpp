// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <span>

#include "troupe/apps/shell/cpp_writer/value.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"
#include "troupe/apps/shell/language/syntax.hpp"

namespace troupe::shell::cpp {

/// Main, or a C++ lambda that is being written.
struct frame {
  frame* around = nullptr;  ///< whose variables can be seen; null: only those of main
  std::vector<std::string> lines = {};
  std::size_t statement = 0;  ///< the line where the outermost statement that is written begins
  int indent = 0;
  int blocks = 0;  ///< braces around the statement, which run it once, often or never
  std::map<symbol, value> variables = {};
  std::vector<std::vector<symbol>> locals = {};  ///< of each of the braces that are open
  std::set<std::string> changed = {};            ///< variables that were given a value again
  bool captures = false;
  bool acts = false;
};

/// A function of the language. It is written when it is called, for the kinds of the arguments of
/// that call; calls that make the same text of it share one lambda.
struct function {
  std::vector<symbol> parameters = {};
  std::shared_ptr<const block> body = {};         ///< of `def`
  std::shared_ptr<const expression> result = {};  ///< of a lambda
  const word* builtin = nullptr;
  std::shared_ptr<function> target = {};  ///< of a gradient
  int argument = 0;                       ///< the number of the one it is with respect to
  bool with_value = false;
  frame* around = nullptr;
  std::string_view source = {};  ///< the text of the input that defines it
  std::string name = {};         ///< of the variable that it was first given to
  std::string shown = {};        ///< "x -> ..."
};

/// Writes inputs as the statements of a C++ `main`. Kinds of values are known where they are
/// written, as each statement is followed in turn; what would need more is refused.
class writer {
 public:
  /// `source` has the text of all inputs.
  writer(symbol_table& symbols, std::string_view source);

  /// Writes an input, of which `source` is the text.
  void add(const block& statements, unsigned input, std::string_view source);
  void line(const std::string& text) { emit(text); }
  std::string text() const;
  /// So many CPU devices the program names; 0 if that is known only when it runs.
  int cpu_devices() const noexcept { return cpu_devices_; }
  bool draws() const noexcept { return main_.acts; }

  // For calls of words.

  value write(const expression& e);
  value fresh(std::string_view name, const value& x, std::optional<std::size_t> line = {});
  void count_device(const std::optional<scalar>& index) noexcept;

 private:
  struct output {
    std::size_t line;
    std::size_t lines;  ///< 0: it has a name of its own
    value shown;
    bool quiet;
  };

  // Statements.
  void run(const statement& s, value* result = nullptr);
  void run_block(const block& statements, value* result = nullptr);
  void execute(const assignment& s, value* result);
  void execute(const evaluation& s, value* result);
  void execute(const definition& s, value* result);
  void execute(const repetition& s, value* result);
  void execute(const iteration& s, value* result);
  void execute(const conditional_loop& s, value* result);
  void execute(const jump& s, value* result);
  void execute(const choice& s, value* result);
  void execute(const placement& s, value* result);
  void execute(const in_order& s, value* result);
  void execute(const timing& s, value* result);
  void execute(const waiting& s, value* result);
  void execute(const printing& s, value* result);
  void execute(const removal& s, value* result);
  void assign(symbol name, value x, std::source_location where);
  void give_result(const value& x, value& result, std::source_location where);
  void unpack(const assignment& s, value x);
  void update(const assignment& s, value y);
  void count_turns(const std::string& name, const value& from, const value& to, std::int64_t step);
  void count_over(const iteration& s, const value& over);
  void over_items(const iteration& s, kind of, const std::string& items);
  static std::string list_of_items(const value& list, std::source_location where);
  void open_braces(const std::string& head);
  void close_braces();

  // Expressions.
  value write(const number_literal& x, const expression& e);
  value write(const text_literal& x, const expression& e);
  value write(const none_literal& x, const expression& e);
  value write(const new_axis_literal& x, const expression& e);
  value write(const rest_literal& x, const expression& e);
  value write(const name_use& x, const expression& e);
  value write(const output_use& x, const expression& e);
  value write(const sequence_literal& x, const expression& e);
  value write(const unary& x, const expression& e);
  value write(const binary& x, const expression& e);
  value write(const slice_literal& x, const expression& e);
  value write(const call& x, const expression& e);
  value write(const attribute& x, const expression& e);
  value write(const subscript& x, const expression& e);
  value write(const lambda& x, const expression& e);
  std::vector<value> write_in_order(std::span<const expression* const> all);
  value compute(binary_operator op, value x, value y, std::source_location where);
  value compute_numbers(binary_operator op, value x, value y, std::source_location where);
  value write_condition(const expression& e);
  value either(const binary& x, std::source_location where, bool condition);
  value item_of(const value& x, const value& at, std::source_location where);
  value part_of(value x, const std::vector<expression>& items, std::source_location where);

  // Functions.
  value call_function(const function& f, std::vector<value> arguments, std::source_location where);
  value gradient(const function& f, std::vector<value> arguments, std::source_location where);
  value lambda_of(const function& f, const std::vector<value>& arguments,
                  std::source_location where);
  std::string parameter_name(const function& f, std::size_t i) const;

  // Names.
  const value* find(symbol name);
  std::string unused_name(std::string_view base);
  void emit(const std::string& text);
  static std::size_t insert(frame& f, std::size_t at, const std::string& text, int indent);
  static void emit_before(frame& f, const std::string& text);
  void use_of(const frame* owner);
  std::size_t mentions(std::string_view text, symbol name) const;

  symbol_table& symbols_;
  std::string_view all_text_;
  std::string_view source_;    // of the input
  std::string_view compound_;  // the text of the statement whose braces this one is in
  frame main_;
  frame* frame_ = &main_;
  std::set<std::string> names_;       // of the variables of C++
  std::set<std::string> kept_names_;  // of the lambdas in main
  std::set<const function*> open_;    // functions that are being written
  std::map<std::pair<std::string, std::string>, std::string> written_;  // lambdas, by name and text
  std::map<unsigned, output> outputs_;
  unsigned input_ = 0;
  bool quiet_ = false;  // the statement ends in a semicolon
  int nesting_ = 0;     // of the blocks that the statement is in
  int in_order_ = 0;
  int cpu_devices_ = 1;
  int calls_ = 0;
};

/// A call of a word of the language.
value call_word(writer& w, const word& what, std::vector<value> given,
                std::vector<std::pair<std::string, value>> named, std::source_location where);

/// Returns true if no variable of a program can have this name: C++ or the library needs it.
bool is_reserved(std::string_view name);

}  // namespace troupe::shell::cpp
