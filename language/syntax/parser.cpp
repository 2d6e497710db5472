// SPDX-License-Identifier: MIT
#include "troupe/language/syntax/parser.hpp"

#include <algorithm>
#include <utility>

#include "troupe/language/syntax/lexer.hpp"
#include "troupe/language/syntax/operators.hpp"
#include "troupe/language/syntax/syntax_tree.hpp"
#include "troupe/language/syntax/token_stream.hpp"

namespace troupe::language {

namespace {

/// Returns what to write in place of a word of another language.
std::string hint_behind(std::string_view word) {
  if (word == "return") return "; a function gives its last value";
  if (word == "elif") return "; write else if";
  if (word == "lambda") return "; write x -> x * x";
  return "";
}

class statement_parser {
 public:
  explicit statement_parser(token_stream& in) : in_(in) {}

  block all() { return statements_until(token_kind::end); }

 private:
  class nesting {
   public:
    explicit nesting(statement_parser& p) : p_(p) {
      if (++p.depth_ > deepest_nesting) throw syntax_error("nested too deeply", p.in_.here().span);
    }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;
    ~nesting() { --p_.depth_; }

   private:
    statement_parser& p_;
  };

  block statements_until(token_kind end) {
    block all;
    for (;;) {
      while (in_.here().kind == token_kind::newline || in_.here().is(";")) in_.take();
      if (in_.here().kind == token_kind::end || (end != token_kind::end && in_.here().is("}")))
        break;
      all.push_back(statement_here());
      if (in_.take_if(";")) all.back().quiet = true;
      else if (in_.here().kind != token_kind::newline && in_.here().kind != token_kind::end &&
               !(end != token_kind::end && in_.here().is("}")) && !ended_in_brace())
        in_.unexpected("after the statement" + hint_behind(in_.before().text));
    }
    return all;
  }
  bool ended_in_brace() const noexcept { return !in_.at_start() && in_.before().is("}"); }

  block braces(const std::string& whose) {
    const nesting deeper(*this);
    in_.skip_newlines();
    const auto place = "where the { " + whose + " should be";
    if (in_.here().kind == token_kind::end) in_.incomplete(place);
    const auto open = in_.here().span;
    in_.expect("{", place);
    auto all = statements_until(token_kind::sign);
    if (in_.here().kind == token_kind::end) in_.incomplete("before the } " + whose, open);
    in_.expect("}", "before the } " + whose);
    return all;
  }

  /// Parses statements in braces, which have `loops` loops around them.
  block braces_within(int loops, const std::string& whose) {
    const int before = std::exchange(loops_, loops);
    auto all = braces(whose);
    loops_ = before;
    return all;
  }
  block loop_body(const std::string& whose) { return braces_within(loops_ + 1, whose); }

  template <class Node>
  statement make_statement(Node node, text_span begin) {
    return {std::move(node), in_.since(begin), false};
  }

  statement statement_here() {
    const auto begin = in_.here().span;
    if (in_.here().kind == token_kind::name) {
      const auto word = in_.here().text;
      if (word == "def") return definition_here(begin);
      if (word == "if") return choice_here(begin);
      if (word == "for") return iteration_here(begin);
      if (word == "while") return conditional_loop_here(begin);
      if (word == "break" || word == "continue") return jump_here(begin);
      if (word == "del") return removal_here(begin);
      if (word == "wait") return waiting_here(begin);
      if (word == "print") return printing_here(begin);
      if ((word == "variable" || word == "constant" || word == "counter") &&
          in_.ahead(1).kind == token_kind::name)
        return declaration_here(begin);
      if (word == "else") throw syntax_error("else without an if before it", begin);
      if (word == "wait_all" && !continues_expression(in_.ahead(1))) {
        in_.take();
        return make_statement(waiting{}, begin);
      }
      if (word == "repeat") {
        in_.take();
        auto count = parse_expression(in_);
        return make_statement(repetition{std::move(count), loop_body("of repeat")}, begin);
      }
      if (word == "on") {
        in_.take();
        auto device = parse_expression(in_);
        return make_statement(placement{std::move(device), braces("of on")}, begin);
      }
      if (word == "in_order") {
        in_.take();
        return make_statement(in_order{braces("of in_order")}, begin);
      }
      if (word == "time" && begins_value(in_.ahead(1)))
        throw syntax_error("time wants braces behind it: time { ... }", in_.ahead(1).span);
      if (word == "time" && opens_brace(1)) {
        in_.take();
        return make_statement(timing{braces("of time")}, begin);
      }
    }
    if (auto targets = targets_here(); !targets.empty()) return assignment_here(targets, begin);
    auto value = parse_expression(in_);
    if (in_.here().is("=") || updating_operator(in_.here()))
      return replacement_here(std::move(value), begin);
    return make_statement(evaluation{std::move(value)}, begin);
  }

  bool opens_brace(std::size_t n) const noexcept {
    while (in_.ahead(n).kind == token_kind::newline) ++n;
    return in_.ahead(n).is("{");
  }
  static bool begins_value(const token& t) noexcept {
    return t.kind == token_kind::integer || t.kind == token_kind::real ||
           t.kind == token_kind::imaginary || t.kind == token_kind::text ||
           (t.kind == token_kind::name && !is_keyword(t.text));
  }
  static bool continues_expression(const token& t) noexcept {
    return t.kind == token_kind::sign && !t.is(";") && !t.is("}");
  }

  [[noreturn]] void refuse_target(const expression& to) const {
    if (std::holds_alternative<subscript>(to.node))
      throw syntax_error("only part of a name can be given a value", to.span);
    if (std::holds_alternative<output_use>(to.node))
      throw syntax_error("outputs cannot be given another value", to.span);
    throw syntax_error("only a name can be given a value", to.span);
  }

  /// Parses the names before a "="; none if no assignment follows.
  std::vector<symbol> targets_here() {
    std::size_t n = 0;
    for (;; n += 2) {
      if (in_.ahead(n).kind != token_kind::name || is_keyword(in_.ahead(n).text)) return {};
      if (!in_.ahead(n + 1).is(",")) break;
    }
    if (!in_.ahead(n + 1).is("=") && !(n == 0 && updating_operator(in_.ahead(1)))) return {};
    std::vector<symbol> names;
    for (std::size_t i = 0; i <= n; i += 2) names.push_back(in_.symbol_of(in_.ahead(i)));
    in_.skip(n + 1);
    return names;
  }

  statement assignment_here(std::vector<symbol>& targets, text_span begin) {
    const auto op = updating_operator(in_.take());
    auto value = parse_expressions(in_);
    return make_statement(assignment{std::move(targets), op, std::move(value), in_.place(begin)},
                          begin);
  }

  /// Parses `x[k] = y` from the sign on.
  statement replacement_here(expression part, text_span begin) {
    const auto* of = std::get_if<subscript>(&part.node);
    const auto* name = of ? std::get_if<name_use>(&of->object->node) : nullptr;
    if (!name) refuse_target(part);
    std::vector<symbol> targets{name->name};
    const auto op = updating_operator(in_.take());
    auto value = parse_expressions(in_);
    const auto height = static_cast<std::uint16_t>(1 + std::max(part.height, value.height));
    expression whole{replacement{std::make_unique<expression>(std::move(part)), op,
                                 std::make_unique<expression>(std::move(value))},
                     in_.since(begin), in_.place(begin), height};
    return make_statement(assignment{std::move(targets), {}, std::move(whole), in_.place(begin)},
                          begin);
  }

  statement declaration_here(text_span begin) {
    const auto word = in_.take().text;
    const auto is = word == "variable"   ? declaration::kind::variable
                    : word == "constant" ? declaration::kind::constant
                                         : declaration::kind::counter;
    const auto name = in_.identifier("where the array's name should be");
    in_.expect(":", "where the : before its type should be");
    const auto at = in_.here().span;
    const auto type = in_.type_here();
    if (is == declaration::kind::counter && type != array_type{int64, {}})
      throw syntax_error("a counter is of type int64[]", at);
    return make_statement(declaration{name, type, is, in_.place(begin)}, begin);
  }

  statement definition_here(text_span begin) {
    in_.take();
    const auto name = in_.identifier("where the function's name should be");
    auto names = in_.parameters();
    if (in_.take_if("=")) {  // def f(x) = x * x
      auto value = parse_expression(in_);
      block one;
      const auto at = value.span;
      one.push_back({evaluation{std::move(value)}, at, false});
      return make_statement(
          definition{name, std::move(names), std::make_shared<const block>(std::move(one))}, begin);
    }
    auto body = std::make_shared<const block>(braces_within(0, "of def"));
    return make_statement(definition{name, std::move(names), std::move(body)}, begin);
  }

  statement choice_here(text_span begin) {
    const nesting deeper(*this);
    in_.take();
    auto condition = parse_expression(in_);
    auto when_true = braces("of if");
    block when_false;
    const auto before = in_.position();
    in_.skip_newlines();
    if (in_.take_if("else")) {
      in_.skip_newlines();
      if (in_.here().is("if")) when_false.push_back(choice_here(in_.here().span));
      else when_false = braces("of else");
    } else {
      in_.go_back(before);
    }
    return make_statement(choice{std::move(condition), std::move(when_true), std::move(when_false)},
                          begin);
  }

  statement iteration_here(text_span begin) {
    in_.take();
    const auto name = in_.identifier("where the loop's name should be");
    in_.expect("in", "where in should be");
    auto over = parse_expression(in_);
    return make_statement(iteration{name, std::move(over), loop_body("of for")}, begin);
  }

  statement conditional_loop_here(text_span begin) {
    in_.take();
    auto condition = parse_expression(in_);
    return make_statement(conditional_loop{std::move(condition), loop_body("of while")}, begin);
  }

  statement jump_here(text_span begin) {
    const bool ends_loop = in_.take().is("break");
    if (loops_ == 0)
      throw syntax_error(
          std::string(ends_loop ? "break" : "continue") + " without a loop around it", begin);
    return make_statement(jump{ends_loop, in_.place(begin)}, begin);
  }

  statement removal_here(text_span begin) {
    removal all;
    do {
      in_.take();
      all.names.push_back(in_.identifier("where a name to forget should be"));
    } while (in_.here().is(","));
    return make_statement(std::move(all), begin);
  }

  statement waiting_here(text_span begin) {
    waiting all;
    do {
      in_.take();
      all.values.push_back(parse_expression(in_));
    } while (in_.here().is(","));
    return make_statement(std::move(all), begin);
  }

  /// Parses `print a, b` and `print(a, b)`.
  statement printing_here(text_span begin) {
    printing all;
    do {
      in_.take();
      const bool opened = all.values.empty() && in_.here().is("(");
      auto value = parse_expression(in_);
      auto* items = std::get_if<sequence_literal>(&value.node);
      if (opened && items && in_.before().is(")")) all.values = std::move(items->items);
      else all.values.push_back(std::move(value));
    } while (in_.here().is(","));
    return make_statement(std::move(all), begin);
  }

  token_stream& in_;
  int depth_ = 0;
  int loops_ = 0;  // around the current statement, within the innermost function
};

}  // namespace

block parse(std::string_view input, symbol_table& symbols, const origin& from) {
  token_stream in(input, symbols, from);
  return statement_parser(in).all();
}

expression parse_expression(std::string_view input, symbol_table& symbols, const origin& from) {
  token_stream in(input, symbols, from);
  in.skip_newlines();
  auto e = parse_expression(in);
  in.skip_newlines();
  if (in.here().kind != token_kind::end) in.unexpected("after the expression");
  return e;
}

symbol symbol_table::of(std::string_view name) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  const auto number = static_cast<symbol>(names_.size());
  numbers_.emplace(names_.emplace_back(name), number);
  return number;
}

}  // namespace troupe::language
