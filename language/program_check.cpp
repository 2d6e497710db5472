// SPDX-License-Identifier: MIT
#include "troupe/language/program_check.hpp"

#include <algorithm>
#include <set>

#include "troupe/language/evaluator/word.hpp"

namespace troupe::language {

namespace {

/// Groups of words that reach out of a program.
constexpr std::string_view outside[] = {"files", "waiting", "programs"};

class checker {
 public:
  checker(const symbol_table& symbols, const evaluator& with) : symbols_(symbols), with_(with) {}

  void all(const block& statements) {
    for (const auto& s : statements) {
      if (const auto* array = std::get_if<declaration>(&s.node)) declare(array->name, s.span);
      else if (const auto* f = std::get_if<definition>(&s.node)) function(*f, s.span);
      else throw syntax_error("a program has only definitions, and declarations of arrays", s.span);
    }
    if (statements.empty() || !std::holds_alternative<definition>(statements.back().node))
      throw syntax_error("a program ends in the definition of a function",
                         statements.empty() ? text_span{} : statements.back().span);
  }

 private:
  void declare(symbol name, text_span at) {
    if (!known_.insert(name).second)
      throw syntax_error("two things are named " + symbols_.name(name), at);
  }

  /// A function knows what is named before it, itself, its parameters and what it assigns.
  void function(const definition& f, text_span at) {
    declare(f.name, at);
    const auto outer = known_;
    for (const auto& one : f.parameters) declare(one.name, one.span);
    statements(*f.body);
    known_ = outer;
  }

  void statements(const block& all) {
    for (const auto& s : all) std::visit([&](const auto& node) { look(node, s.span); }, s.node);
  }

  void look(const assignment& s, text_span) {
    look(s.value);
    known_.insert(s.targets.begin(), s.targets.end());
  }
  void look(const evaluation& s, text_span) { look(s.value); }
  void look(const repetition& s, text_span) {
    look(s.count);
    statements(s.body);
  }
  void look(const iteration& s, text_span) {
    look(s.over);
    known_.insert(s.name);
    statements(s.body);
  }
  void look(const conditional_loop& s, text_span) {
    look(s.condition);
    statements(s.body);
  }
  void look(const choice& s, text_span) {
    look(s.condition);
    statements(s.when_true);
    statements(s.when_false);
  }
  void look(const placement& s, text_span) {
    look(s.device);
    statements(s.body);
  }
  void look(const definition& s, text_span at) { function(s, at); }
  void look(const jump&, text_span) {}
  template <class Other>
  void look(const Other&, text_span at) {
    throw syntax_error("this is not possible in a program, which only computes", at);
  }

  void look(const expression& e) {
    std::visit([&](const auto& node) { part(node, e.span); }, e.node);
  }
  void look(const expression_ptr& e) {
    if (e) look(*e);
  }
  void look(const std::vector<expression>& all) {
    for (const auto& one : all) look(one);
  }

  void part(const name_use& x, text_span at) const {
    if (known_.contains(x.name)) return;
    const auto& name = symbols_.name(x.name);
    const auto* own = with_.find(x.name);
    if (!own) throw syntax_error("nothing is named " + name, at);
    const auto* w = std::get_if<const word*>(own);
    if (w && std::ranges::find(outside, (*w)->group) != std::end(outside))
      throw syntax_error(name + " is not possible in a program, which only computes", at);
  }
  void part(const output_use&, text_span at) const {
    throw syntax_error("a program has no outputs by number", at);
  }
  void part(const sequence_literal& x, text_span) { look(x.items); }
  void part(const unary& x, text_span) { look(x.x); }
  void part(const binary& x, text_span) {
    look(x.x);
    look(x.y);
  }
  void part(const slice_literal& x, text_span) {
    look(x.start);
    look(x.stop);
    look(x.step);
  }
  void part(const call_expression& x, text_span) {
    if (const auto [place, whole] = part_to_change(x, symbols_); place) {
      look(*whole);
      look(place->items);
      look(x.arguments);
      return;
    }
    // Of x.f(a), f is a word.
    if (const auto* method = std::get_if<attribute>(&x.function->node)) {
      look(method->object);
      part(name_use{method->name}, x.function->span);
    } else {
      look(x.function);
    }
    look(x.arguments);
    for (const auto& one : x.named) look(one.value);
  }
  void part(const attribute& x, text_span) { look(x.object); }
  void part(const subscript& x, text_span) {
    look(x.object);
    look(x.items);
  }
  void part(const replacement& x, text_span) {
    look(x.part);
    look(x.value);
  }
  void part(const conditional& x, text_span) {
    look(x.when_true);
    look(x.condition);
    look(x.when_false);
  }
  void part(const lambda& x, text_span) {
    const auto outer = known_;
    known_.insert(x.parameters.begin(), x.parameters.end());
    look(*x.body);
    known_ = outer;
  }
  template <class Literal>
  void part(const Literal&, text_span) const {}

  const symbol_table& symbols_;
  const evaluator& with_;
  std::set<symbol> known_;
};

}  // namespace

void check_program(const block& statements, const symbol_table& symbols, const evaluator& with) {
  checker(symbols, with).all(statements);
}

}  // namespace troupe::language
