// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "troupe/language/evaluator/dynamic_value.hpp"
#include "troupe/language/evaluator/evaluator_host.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/language/syntax/syntax_tree.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::language {

/// Arithmetic on two numbers, as Python has it: `/` gives a real, `//` and `%` round down. Throws
/// where an integer does not fit int64, for integers divided by zero, and for bits of a real.
scalar compute(binary_operator op, scalar x, scalar y, caller where);
scalar compute(unary_operator op, scalar x, caller where);

/// Item within the brackets of a subscript: `...`, `newaxis` or a value.
struct rest_of_axes {};
using subscript_item = std::variant<rest_of_axes, new_axis_type, dynamic_value>;

/// Returns `x[items]`: a view of an array, or a copy for an array of positions; one or some of a
/// list's items. Throws for values without items, and for indices that do not fit.
dynamic_value part_of(const dynamic_value& x, const std::vector<subscript_item>& items,
                      caller where);

/// Returns `x` with another value in that part: an array, or a list of which one item is named;
/// `how` counts for arrays.
dynamic_value with_part(const dynamic_value& x, const std::vector<subscript_item>& items,
                        const dynamic_value& part, caller where, put_op how = put_op::set);

/// Interpreter of statements: turns them into calls of the library, which submit tasks and return
/// at once.
class evaluator {
 public:
  /// Calls of one function from one place, each inside the next.
  struct passed_call {
    std::string name;
    caller place;
    int times = 1;
  };

  evaluator(symbol_table& symbols, evaluator_host& around);

  /// Runs a statement of an input. Throws troupe::error with the place in the input.
  void run(const statement& s);
  dynamic_value evaluate(const expression& e);
  /// Returns the value of an expression on its own: a literal list of numbers is an array.
  dynamic_value settled(const expression& e);
  /// Waits for an array, or for those in a list, until Ctrl-C.
  void wait_for(const dynamic_value& x, caller where);

  /// Returns the calls that the last mistake was made in, the innermost first, once.
  std::vector<passed_call> take_passed_calls() noexcept { return std::exchange(passed_, {}); }

  /// Returns the variables that have a value.
  std::vector<symbol> names() const;
  const dynamic_value* find(symbol name) const noexcept;
  void assign(symbol name, dynamic_value value);
  void forget_all();
  /// Lets functions assign a variable of the outermost level, which others have as their own.
  void share(symbol name) { shared_.insert(name); }

 private:
  struct frame {
    std::vector<std::pair<symbol, dynamic_value>> locals;
  };
  struct deeper;

  dynamic_value run_statement(const statement& s, bool outermost);
  dynamic_value run_block(const block& statements);
  bool run_turn(const block& body, dynamic_value& last);
  dynamic_value execute(const assignment& s, bool outermost, bool quiet);
  dynamic_value execute(const evaluation& s, bool outermost, bool quiet);
  dynamic_value execute(const declaration& s, bool, bool);
  dynamic_value execute(const definition& s, bool, bool);
  dynamic_value execute(const repetition& s, bool, bool);
  dynamic_value execute(const iteration& s, bool, bool);
  dynamic_value execute(const conditional_loop& s, bool, bool);
  dynamic_value execute(const jump& s, bool, bool);
  dynamic_value execute(const choice& s, bool, bool);
  dynamic_value execute(const placement& s, bool, bool);
  dynamic_value execute(const in_order& s, bool, bool);
  dynamic_value execute(const timing& s, bool, bool);
  dynamic_value execute(const waiting& s, bool, bool);
  dynamic_value execute(const printing& s, bool, bool);
  dynamic_value execute(const removal& s, bool, bool);

  dynamic_value evaluate(const number_literal& x, const expression& e);
  dynamic_value evaluate(const text_literal& x, const expression& e);
  dynamic_value evaluate(const none_literal& x, const expression& e);
  dynamic_value evaluate(const new_axis_literal& x, const expression& e);
  dynamic_value evaluate(const rest_literal& x, const expression& e);
  dynamic_value evaluate(const name_use& x, const expression& e);
  dynamic_value evaluate(const output_use& x, const expression& e);
  dynamic_value evaluate(const sequence_literal& x, const expression& e);
  dynamic_value evaluate(const unary& x, const expression& e);
  dynamic_value evaluate(const binary& x, const expression& e);
  dynamic_value evaluate(const slice_literal& x, const expression& e);
  dynamic_value evaluate(const call_expression& x, const expression& e);
  dynamic_value evaluate(const attribute& x, const expression& e);
  dynamic_value evaluate(const subscript& x, const expression& e);
  dynamic_value evaluate(const replacement& x, const expression& e);
  dynamic_value evaluate(const conditional& x, const expression& e);
  dynamic_value evaluate(const lambda& x, const expression& e);

  dynamic_value* own_variable(symbol name) noexcept;
  dynamic_value updated(const assignment& s);
  dynamic_value updated(dynamic_value before, binary_operator op, const expression& by);
  std::vector<dynamic_value> parts_of(const expression& e, std::size_t names);
  dynamic_value unpack(const assignment& s, bool tells);
  std::optional<dynamic_value> appended(const assignment& s);
  dynamic_value change_part(const call_expression& x, const subscript& part,
                            const expression& whole, const expression& e);
  std::vector<subscript_item> items_of(const subscript& x, const dynamic_value& object);
  dynamic_value there(const expression& e);
  dynamic_value finished(dynamic_value x, caller where);
  dynamic_value counted(dynamic_value x, caller where);
  std::optional<dynamic_value> joined(const dynamic_value& x, bool x_written,
                                      const dynamic_value& y, bool y_written, caller where);
  dynamic_value apply(binary_operator op, const dynamic_value& x, const dynamic_value& y,
                      caller where);
  std::string names_text(const std::vector<symbol>& names) const;
  dynamic_value function_of(std::string name, std::string text, std::vector<symbol> parameters,
                            std::optional<symbol> self,
                            std::function<dynamic_value(caller where)> body);
  void note_passed(const std::string& name, caller where);
  void check_type(const std::string& f, const parameter_declaration& p, caller where);
  [[noreturn]] void unknown(symbol name, caller where) const;

  symbol_table& symbols_;
  evaluator_host& host_;
  std::vector<std::optional<dynamic_value>> globals_;   // by symbol
  std::vector<std::optional<dynamic_value>> builtins_;  // by symbol: words, dtypes and constants
  std::set<symbol> shared_;
  frame* frame_ = nullptr;  // of the function that runs
  int depth_ = 0;
  std::vector<passed_call> passed_;
  int passed_depth_ = 0;  // of the last of them
  int in_order_ = 0;
  const jump* jump_ = nullptr;  // until the end of the loop's body
};

}  // namespace troupe::language
