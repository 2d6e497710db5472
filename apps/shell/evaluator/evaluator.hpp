// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "troupe/apps/shell/evaluator/surroundings.hpp"
#include "troupe/apps/shell/evaluator/thing.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"
#include "troupe/apps/shell/language/syntax.hpp"

namespace troupe::shell {

/// Runs statements: turns them into calls of the library, which submit tasks and return at once.
class evaluator {
 public:
  evaluator(symbol_table& symbols, surroundings& around);

  /// Runs a statement of an input. Throws troupe::error with the place in the input.
  void run(const statement& s);
  thing evaluate(const expression& e);
  /// The value of an expression on its own: a list of numbers that is written there is an array.
  thing settled(const expression& e);
  /// Waits for an array, or for those in a list, as long as the user likes.
  void wait_for(const thing& x, caller where);

  /// The variables that have a value.
  std::vector<symbol> names() const;
  const thing* find(symbol name) const noexcept;
  void assign(symbol name, thing value);
  void forget_all();

 private:
  struct frame {
    std::vector<std::pair<symbol, thing>> locals;
  };
  struct deeper;

  thing run_statement(const statement& s, bool outermost);
  thing run_block(const block& statements);
  thing on(const assignment& s, bool outermost, bool quiet);
  thing on(const evaluation& s, bool outermost, bool quiet);
  thing on(const definition& s, bool, bool);
  thing on(const repetition& s, bool, bool);
  thing on(const iteration& s, bool, bool);
  thing on(const choice& s, bool, bool);
  thing on(const placement& s, bool, bool);
  thing on(const in_order& s, bool, bool);
  thing on(const timing& s, bool, bool);
  thing on(const waiting& s, bool, bool);
  thing on(const printing& s, bool, bool);
  thing on(const removal& s, bool, bool);

  thing of(const number_literal& x, const expression& e);
  thing of(const text_literal& x, const expression& e);
  thing of(const none_literal& x, const expression& e);
  thing of(const new_axis_literal& x, const expression& e);
  thing of(const rest_literal& x, const expression& e);
  thing of(const name_use& x, const expression& e);
  thing of(const output_use& x, const expression& e);
  thing of(const sequence_literal& x, const expression& e);
  thing of(const unary& x, const expression& e);
  thing of(const binary& x, const expression& e);
  thing of(const slice_literal& x, const expression& e);
  thing of(const call& x, const expression& e);
  thing of(const attribute& x, const expression& e);
  thing of(const subscript& x, const expression& e);
  thing of(const lambda& x, const expression& e);

  thing there(const expression& e);
  thing finished(thing x, caller where);
  thing apply(binary_operator op, const thing& x, const thing& y, caller where);
  std::string names_text(const std::vector<symbol>& names) const;
  thing function_of(std::string name, std::string text, std::vector<symbol> parameters,
                    std::function<thing()> body);
  [[noreturn]] void unknown(symbol name, caller where) const;

  symbol_table& symbols_;
  surroundings& around_;
  std::vector<std::optional<thing>> globals_;   // by symbol
  std::vector<std::optional<thing>> builtins_;  // by symbol: words, dtypes and constants
  frame* frame_ = nullptr;                      // of the function that runs
  int depth_ = 0;
  int in_order_ = 0;
};

}  // namespace troupe::shell
