// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "troupe/apps/shell/evaluator/evaluator_host.hpp"
#include "troupe/apps/shell/evaluator/shell_value.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"
#include "troupe/apps/shell/language/syntax.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::shell {

/// Arithmetic on two numbers, as Python has it: `/` gives a real, `//` and `%` round down. Throws
/// where an integer does not fit int64, for integers divided by zero, and for bits of a real.
scalar compute(binary_operator op, scalar x, scalar y, caller where);
scalar compute(unary_operator op, scalar x, caller where);

/// Item within the brackets of a subscript: `...`, `newaxis` or a value.
struct rest_of_axes {};
using subscript_item = std::variant<rest_of_axes, new_axis_type, shell_value>;

/// Returns `x[items]`: a view of an array, or a copy for an array of positions; one or some of a
/// list's items. Throws for values without items, and for indices that do not fit.
shell_value part_of(const shell_value& x, const std::vector<subscript_item>& items, caller where);

/// Interpreter of statements: turns them into calls of the library, which submit tasks and return
/// at once.
class evaluator {
 public:
  evaluator(symbol_table& symbols, evaluator_host& around);

  /// Runs a statement of an input. Throws troupe::error with the place in the input.
  void run(const statement& s);
  shell_value evaluate(const expression& e);
  /// Returns the value of an expression on its own: a literal list of numbers is an array.
  shell_value settled(const expression& e);
  /// Waits for an array, or for those in a list, until Ctrl-C.
  void wait_for(const shell_value& x, caller where);

  /// Returns the variables that have a value.
  std::vector<symbol> names() const;
  const shell_value* find(symbol name) const noexcept;
  void assign(symbol name, shell_value value);
  void forget_all();

 private:
  struct frame {
    std::vector<std::pair<symbol, shell_value>> locals;
  };
  struct deeper;

  shell_value run_statement(const statement& s, bool outermost);
  shell_value run_block(const block& statements);
  bool run_turn(const block& body, shell_value& last);
  shell_value execute(const assignment& s, bool outermost, bool quiet);
  shell_value execute(const evaluation& s, bool outermost, bool quiet);
  shell_value execute(const definition& s, bool, bool);
  shell_value execute(const repetition& s, bool, bool);
  shell_value execute(const iteration& s, bool, bool);
  shell_value execute(const conditional_loop& s, bool, bool);
  shell_value execute(const jump& s, bool, bool);
  shell_value execute(const choice& s, bool, bool);
  shell_value execute(const placement& s, bool, bool);
  shell_value execute(const in_order& s, bool, bool);
  shell_value execute(const timing& s, bool, bool);
  shell_value execute(const waiting& s, bool, bool);
  shell_value execute(const printing& s, bool, bool);
  shell_value execute(const removal& s, bool, bool);

  shell_value evaluate(const number_literal& x, const expression& e);
  shell_value evaluate(const text_literal& x, const expression& e);
  shell_value evaluate(const none_literal& x, const expression& e);
  shell_value evaluate(const new_axis_literal& x, const expression& e);
  shell_value evaluate(const rest_literal& x, const expression& e);
  shell_value evaluate(const name_use& x, const expression& e);
  shell_value evaluate(const output_use& x, const expression& e);
  shell_value evaluate(const sequence_literal& x, const expression& e);
  shell_value evaluate(const unary& x, const expression& e);
  shell_value evaluate(const binary& x, const expression& e);
  shell_value evaluate(const slice_literal& x, const expression& e);
  shell_value evaluate(const call& x, const expression& e);
  shell_value evaluate(const attribute& x, const expression& e);
  shell_value evaluate(const subscript& x, const expression& e);
  shell_value evaluate(const lambda& x, const expression& e);

  shell_value updated(const assignment& s);
  shell_value there(const expression& e);
  shell_value finished(shell_value x, caller where);
  shell_value apply(binary_operator op, const shell_value& x, const shell_value& y, caller where);
  std::string names_text(const std::vector<symbol>& names) const;
  shell_value function_of(std::string name, std::string text, std::vector<symbol> parameters,
                          std::function<shell_value()> body);
  [[noreturn]] void unknown(symbol name, caller where) const;

  symbol_table& symbols_;
  evaluator_host& host_;
  std::vector<std::optional<shell_value>> globals_;   // by symbol
  std::vector<std::optional<shell_value>> builtins_;  // by symbol: words, dtypes and constants
  frame* frame_ = nullptr;                            // of the function that runs
  int depth_ = 0;
  int in_order_ = 0;
  const jump* jump_ = nullptr;  // until the end of the loop's body
};

}  // namespace troupe::shell
