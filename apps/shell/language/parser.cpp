// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/language/parser.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "troupe/apps/shell/language/lexer.hpp"
#include "troupe/apps/shell/language/syntax_error.hpp"
#include "troupe/tensor/caller_at.hpp"

namespace troupe::shell {

namespace {

constexpr int highest = 200;  // trees: who walks them is as deep in calls

struct operator_row {
  std::string_view text;
  binary_operator op;
  int strength;
};

// The stronger bind first; as in Python. Those of one strength stand from left to right.
constexpr operator_row operators[] = {
    {"or", binary_operator::either, 1},     {"and", binary_operator::both, 2},
    {"==", binary_operator::equal, 4},      {"!=", binary_operator::not_equal, 4},
    {"<", binary_operator::less, 4},        {"<=", binary_operator::less_equal, 4},
    {">", binary_operator::greater, 4},     {">=", binary_operator::greater_equal, 4},
    {"|", binary_operator::bitwise_or, 5},  {"^", binary_operator::bitwise_xor, 6},
    {"&", binary_operator::bitwise_and, 7}, {"+", binary_operator::add, 8},
    {"-", binary_operator::subtract, 8},    {"*", binary_operator::multiply, 9},
    {"/", binary_operator::divide, 9},      {"//", binary_operator::floor_divide, 9},
    {"%", binary_operator::remainder, 9},   {"@", binary_operator::matmul, 9},
};
constexpr int strength_of_not = 3;
constexpr int strength_of_comparison = 4;
constexpr int strength_of_sign = 10;

const operator_row* find_operator(const token& t) noexcept {
  const auto found = std::find_if(std::begin(operators), std::end(operators),
                                  [&](const operator_row& row) { return t.is(row.text); });
  return found == std::end(operators) ? nullptr : found;
}

/// "+=" and the like.
std::optional<binary_operator> updating(const token& t) noexcept {
  if (t.kind != token_kind::sign || t.text.size() < 2 || !t.text.ends_with('=')) return {};
  const auto sign = t.text.substr(0, t.text.size() - 1);
  if (sign == "**") return binary_operator::power;
  for (const auto& row : operators)
    if (row.text == sign && row.strength > strength_of_comparison) return row.op;
  return {};
}

class parser {
 public:
  parser(std::string_view input, symbol_table& symbols, const origin& from)
      : input_(input), symbols_(symbols), from_(from), tokens_(tokenise(input)) {}

  block statements() {
    auto all = statements_until(token_kind::end);
    return all;
  }

  expression only_expression() {
    skip_newlines();
    auto e = expression_here();
    skip_newlines();
    if (here().kind != token_kind::end) unexpected("after the expression");
    return e;
  }

 private:
  // Tokens.

  const token& here() const noexcept { return tokens_[next_]; }
  const token& ahead(std::size_t n) const noexcept {
    return tokens_[std::min(next_ + n, tokens_.size() - 1)];
  }
  const token& take() noexcept {
    const auto& t = here();
    if (t.kind != token_kind::end) ++next_;
    return t;
  }
  bool take_if(std::string_view text) noexcept {
    if (!here().is(text)) return false;
    ++next_;
    return true;
  }
  void skip_newlines() noexcept {
    while (here().kind == token_kind::newline) ++next_;
  }
  text_span last() const noexcept { return next_ == 0 ? text_span{} : tokens_[next_ - 1].at; }

  [[noreturn]] void unexpected(const std::string& more) const {
    const auto& t = here();
    if (t.kind == token_kind::end) throw incomplete_input("the input ends " + more, t.at);
    const std::string what =
        t.kind == token_kind::newline ? "the line ends" : "unexpected " + std::string(t.text);
    throw syntax_error(what + " " + more, t.at);
  }
  void expect(std::string_view text, const std::string& more) {
    if (!take_if(text)) unexpected(more);
  }
  symbol identifier(const std::string& more) {
    const auto& t = here();
    if (t.kind == token_kind::output)
      throw syntax_error(std::string(t.text) + " names an output and cannot be given", t.at);
    if (t.kind != token_kind::name) unexpected(more);
    if (is_keyword(t.text))
      throw syntax_error(std::string(t.text) + " is a word of the language and names nothing else",
                         t.at);
    return symbols_.of(take().text);
  }

  // Trees of a height that can be walked.

  class nesting {
   public:
    explicit nesting(parser& p) : p_(p) {
      if (++p.depth_ > highest) throw syntax_error("nested too deeply", p.here().at);
    }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;
    ~nesting() { --p_.depth_; }

   private:
    parser& p_;
  };

  template <class Node>
  expression make(Node node, text_span at, std::initializer_list<const expression*> below = {}) {
    int height = 0;
    for (const auto* one : below)
      if (one) height = std::max<int>(height, one->height);
    return make(std::move(node), at, height);
  }
  template <class Node>
  expression make(Node node, text_span at, int height_below) {
    if (height_below >= highest) throw syntax_error("nested too deeply", at);
    return {std::move(node), at, place(at), static_cast<std::uint16_t>(height_below + 1)};
  }
  static expression_ptr boxed(expression e) { return std::make_unique<expression>(std::move(e)); }
  static int height_of(const std::vector<expression>& all) noexcept {
    int height = 0;
    for (const auto& one : all) height = std::max<int>(height, one.height);
    return height;
  }

  std::source_location place(text_span at) const {
    const auto before = input_.substr(0, at.begin);
    const auto line = std::count(before.begin(), before.end(), '\n');
    const auto start = before.rfind('\n') + 1;  // of the line; npos + 1 is 0
    return caller_at(from_.file,
                     from_.line + (from_.counts_lines ? static_cast<unsigned>(line) : 0),
                     static_cast<unsigned>((from_.counts_lines ? at.begin - start : at.begin) + 1));
  }

  // Statements.

  block statements_until(token_kind end) {
    block all;
    for (;;) {
      while (here().kind == token_kind::newline || here().is(";")) ++next_;
      if (here().kind == token_kind::end || (end != token_kind::end && here().is("}"))) break;
      all.push_back(statement_here());
      if (take_if(";")) all.back().quiet = true;
      else if (here().kind != token_kind::newline && here().kind != token_kind::end &&
               !(end != token_kind::end && here().is("}")) && !ended_in_brace())
        unexpected("after the statement");
    }
    return all;
  }
  bool ended_in_brace() const noexcept { return next_ > 0 && tokens_[next_ - 1].is("}"); }

  block braces(const std::string& whose) {
    const nesting deeper(*this);
    skip_newlines();
    expect("{", "where the { " + whose + " should be");
    auto all = statements_until(token_kind::sign);
    expect("}", "before the } " + whose);
    return all;
  }

  template <class Node>
  statement make_statement(Node node, text_span begin) {
    return {std::move(node), joined(begin, last()), false};
  }

  statement statement_here() {
    const auto begin = here().at;
    if (here().kind == token_kind::name) {
      const auto word = here().text;
      if (word == "def") return definition_here(begin);
      if (word == "if") return choice_here(begin);
      if (word == "for") return iteration_here(begin);
      if (word == "del") return removal_here(begin);
      if (word == "wait") return waiting_here(begin);
      if (word == "else") throw syntax_error("else without an if before it", begin);
      if (word == "wait_all" && !continues_expression(ahead(1))) {
        ++next_;
        return make_statement(waiting{}, begin);
      }
      if (word == "repeat") {
        ++next_;
        auto count = expression_here();
        return make_statement(repetition{std::move(count), braces("of repeat")}, begin);
      }
      if (word == "on") {
        ++next_;
        auto device = expression_here();
        return make_statement(placement{std::move(device), braces("of on")}, begin);
      }
      if (word == "in_order") {
        ++next_;
        return make_statement(in_order{braces("of in_order")}, begin);
      }
      if (word == "time" && opens_brace(1)) {
        ++next_;
        return make_statement(timing{braces("of time")}, begin);
      }
    }
    if (auto targets = targets_here(); !targets.empty()) return assignment_here(targets, begin);
    auto value = expression_here();
    if (here().is("=") || updating(here())) refuse_target(value);
    return make_statement(evaluation{std::move(value)}, begin);
  }

  bool opens_brace(std::size_t n) const noexcept {
    while (ahead(n).kind == token_kind::newline) ++n;
    return ahead(n).is("{");
  }
  static bool continues_expression(const token& t) noexcept {
    return t.kind == token_kind::sign && !t.is(";") && !t.is("}");
  }

  [[noreturn]] void refuse_target(const expression& to) const {
    if (std::holds_alternative<subscript>(to.is))
      throw syntax_error(
          "elements never change: build a new array instead, with where or concatenate", to.at);
    if (std::holds_alternative<output_use>(to.is))
      throw syntax_error("outputs cannot be given another value", to.at);
    throw syntax_error("only a name can be given a value", to.at);
  }

  /// The names before a "=", or none if that is not what comes.
  std::vector<symbol> targets_here() {
    std::size_t n = 0;
    for (;; n += 2) {
      if (ahead(n).kind != token_kind::name || is_keyword(ahead(n).text)) return {};
      if (!ahead(n + 1).is(",")) break;
    }
    if (!ahead(n + 1).is("=") && !(n == 0 && updating(ahead(1)))) return {};
    std::vector<symbol> names;
    for (std::size_t i = 0; i <= n; i += 2) names.push_back(symbols_.of(ahead(i).text));
    next_ += n + 1;
    return names;
  }

  statement assignment_here(std::vector<symbol>& targets, text_span begin) {
    const auto op = updating(take());
    auto value = expression_list();
    return make_statement(assignment{std::move(targets), op, std::move(value)}, begin);
  }

  /// `x` or `x, y`.
  expression expression_list() {
    auto first = expression_here();
    if (!here().is(",")) return first;
    const auto begin = first.at;
    std::vector<expression> items;
    items.push_back(std::move(first));
    while (take_if(",")) items.push_back(expression_here());
    const int height = height_of(items);
    return make(sequence_literal{std::move(items)}, joined(begin, last()), height);
  }

  std::vector<symbol> parameters() {
    std::vector<symbol> names;
    expect("(", "where parameters should be");
    while (!take_if(")")) {
      const auto at = here().at;
      names.push_back(identifier("where a parameter's name should be"));
      if (std::count(names.begin(), names.end(), names.back()) > 1)
        throw syntax_error("two parameters of this name", at);
      if (!here().is(")")) expect(",", "between parameters");
    }
    return names;
  }

  statement definition_here(text_span begin) {
    ++next_;
    const auto name = identifier("where the function's name should be");
    auto names = parameters();
    if (take_if("=")) {  // def f(x) = x * x
      auto value = expression_here();
      block one;
      const auto at = value.at;
      one.push_back({evaluation{std::move(value)}, at, false});
      return make_statement(
          definition{name, std::move(names), std::make_shared<const block>(std::move(one))}, begin);
    }
    auto body = std::make_shared<const block>(braces("of def"));
    return make_statement(definition{name, std::move(names), std::move(body)}, begin);
  }

  statement choice_here(text_span begin) {
    const nesting deeper(*this);
    ++next_;
    auto condition = expression_here();
    auto when_true = braces("of if");
    block when_false;
    const auto before = next_;
    skip_newlines();
    if (take_if("else")) {
      skip_newlines();
      if (here().is("if")) when_false.push_back(choice_here(here().at));
      else when_false = braces("of else");
    } else {
      next_ = before;
    }
    return make_statement(choice{std::move(condition), std::move(when_true), std::move(when_false)},
                          begin);
  }

  statement iteration_here(text_span begin) {
    ++next_;
    const auto name = identifier("where the loop's name should be");
    expect("in", "where in should be");
    auto over = expression_here();
    return make_statement(iteration{name, std::move(over), braces("of for")}, begin);
  }

  statement removal_here(text_span begin) {
    removal all;
    do {
      ++next_;
      all.names.push_back(identifier("where a name to forget should be"));
    } while (here().is(","));
    return make_statement(std::move(all), begin);
  }

  statement waiting_here(text_span begin) {
    waiting all;
    do {
      ++next_;
      all.what.push_back(expression_here());
    } while (here().is(","));
    return make_statement(std::move(all), begin);
  }

  // Expressions.

  expression expression_here() {
    const nesting deeper(*this);
    if (is_lambda()) return lambda_here();
    const auto begin = here().at;
    expression_ptr parts[3];
    int height = 0;
    std::size_t colons = 0;
    if (!here().is(":")) {
      auto first = operation(1);
      if (!here().is(":")) return first;
      parts[0] = boxed(std::move(first));
    }
    while (colons < 2 && take_if(":")) {
      ++colons;
      if (begins_expression()) parts[colons] = boxed(operation(1));
    }
    for (const auto& p : parts)
      if (p) height = std::max<int>(height, p->height);
    return make(slice_literal{std::move(parts[0]), std::move(parts[1]), std::move(parts[2])},
                joined(begin, last()), height);
  }

  bool begins_expression() const noexcept {
    const auto& t = here();
    switch (t.kind) {
      case token_kind::end:
      case token_kind::newline: return false;
      case token_kind::sign: return t.is("(") || t.is("[") || t.is("-") || t.is("+") || t.is("~");
      default: return !find_operator(t);
    }
  }

  bool is_lambda() const noexcept {
    if (here().kind == token_kind::name && ahead(1).is("->")) return true;
    if (!here().is("(")) return false;
    std::size_t n = 1;
    while (ahead(n).kind == token_kind::name || ahead(n).is(",")) ++n;
    return ahead(n).is(")") && ahead(n + 1).is("->");
  }

  expression lambda_here() {
    const auto begin = here().at;
    std::vector<symbol> names;
    if (here().is("(")) names = parameters();
    else names.push_back(identifier("where a parameter should be"));
    expect("->", "where -> should be");
    auto body = std::make_shared<const expression>(expression_here());
    const int height = body->height;
    return make(lambda{std::move(names), std::move(body)}, joined(begin, last()), height);
  }

  /// Operators that bind at least so strongly.
  expression operation(int strength) {
    const nesting deeper(*this);
    auto x = operand(strength);
    for (;;) {
      const auto* row = find_operator(here());
      if (here().is("&&") || here().is("||"))
        throw syntax_error("use & and | for elements, or the words and, or", here().at);
      if (!row || row->strength < strength) return x;
      const auto at = take().at;
      auto y = operation(row->strength + 1);
      if (row->strength == strength_of_comparison) refuse_chain(y);
      const auto whole = joined(x.at, y.at);
      const int height = std::max(x.height, y.height);
      x = make(binary{row->op, boxed(std::move(x)), boxed(std::move(y))}, at, height);
      x.at = whole;
    }
  }

  void refuse_chain(const expression&) const {
    const auto* next = find_operator(here());
    if (next && next->strength == strength_of_comparison)
      throw syntax_error("comparisons do not chain: say (a < b) & (b < c)", here().at);
  }

  expression operand(int strength) {
    const auto begin = here().at;
    if (here().is("not") && strength <= strength_of_not) {
      ++next_;
      auto x = operation(strength_of_not);
      const int height = x.height;
      return make(unary{unary_operator::negation, boxed(std::move(x))}, joined(begin, last()),
                  height);
    }
    const auto sign = here().is("-")   ? std::optional(unary_operator::negative)
                      : here().is("+") ? std::optional(unary_operator::positive)
                      : here().is("~") ? std::optional(unary_operator::invert)
                                       : std::nullopt;
    if (!sign) return power();
    const nesting deeper(*this);
    ++next_;
    auto x = operand(strength_of_sign);
    const int height = x.height;
    return make(unary{*sign, boxed(std::move(x))}, joined(begin, last()), height);
  }

  /// `x ** y`: from right to left, and stronger than a sign before it.
  expression power() {
    auto x = with_suffixes(atom());
    if (!here().is("**")) return x;
    const auto at = take().at;
    auto y = operand(strength_of_sign);
    const auto whole = joined(x.at, y.at);
    const int height = std::max(x.height, y.height);
    auto out =
        make(binary{binary_operator::power, boxed(std::move(x)), boxed(std::move(y))}, at, height);
    out.at = whole;
    return out;
  }

  expression with_suffixes(expression x) {
    for (;;) {
      const auto begin = x.at;
      if (here().is("(")) {
        x = call_of(std::move(x));
      } else if (here().is("[")) {
        ++next_;
        if (here().is("]")) throw syntax_error("an index is missing", here().at);
        auto items = expressions_until("]", "in the brackets");
        const int height = std::max<int>(x.height, height_of(items));
        x = make(subscript{boxed(std::move(x)), std::move(items)}, joined(begin, last()), height);
      } else if (here().is(".")) {
        ++next_;
        if (here().kind != token_kind::name) unexpected("where an attribute's name should be");
        const auto name = symbols_.of(take().text);
        const int height = x.height;
        x = make(attribute{boxed(std::move(x)), name}, joined(begin, last()), height);
      } else {
        return x;
      }
    }
  }

  expression call_of(expression function) {
    const auto begin = function.at;
    call c{boxed(std::move(function)), {}, {}};
    int height = c.function->height;
    ++next_;
    while (!take_if(")")) {
      if (here().kind == token_kind::name && ahead(1).is("=")) {
        const auto at = here().at;
        const auto name = symbols_.of(take().text);
        ++next_;
        for (const auto& other : c.named)
          if (other.name == name) throw syntax_error("an argument that is given twice", at);
        c.named.push_back({name, at, boxed(expression_here())});
        height = std::max<int>(height, c.named.back().value->height);
      } else if (!c.named.empty()) {
        throw syntax_error("arguments without a name come before those with one", here().at);
      } else {
        c.arguments.push_back(expression_here());
        height = std::max<int>(height, c.arguments.back().height);
      }
      if (!here().is(")") && !take_if(",") && !take_if(";")) unexpected("among the arguments");
    }
    return make(std::move(c), joined(begin, last()), height);
  }

  std::vector<expression> expressions_until(std::string_view end, const std::string& more) {
    std::vector<expression> all;
    while (!take_if(end)) {
      all.push_back(expression_here());
      if (!here().is(end)) expect(",", more);
    }
    return all;
  }

  expression atom() {
    const auto& t = here();
    switch (t.kind) {
      case token_kind::integer:
      case token_kind::real: return number(take());
      case token_kind::text: return make(text_literal{unquoted(t)}, take().at);
      case token_kind::output: return output(take());
      case token_kind::name: return word(t);
      case token_kind::sign: break;
      default: unexpected("where a value should be");
    }
    const auto begin = t.at;
    if (take_if("...")) return make(rest_literal{}, begin);
    if (take_if("[")) {
      auto items = expressions_until("]", "in the list");
      const int height = height_of(items);
      return make(sequence_literal{std::move(items)}, joined(begin, last()), height);
    }
    if (!take_if("(")) unexpected("where a value should be");
    if (take_if(")")) return make(sequence_literal{}, joined(begin, last()));
    auto first = expression_here();
    if (take_if(")")) {
      first.at = joined(begin, last());
      return first;
    }
    expect(",", "in the parentheses");
    auto items = expressions_until(")", "in the parentheses");
    items.insert(items.begin(), std::move(first));
    const int height = height_of(items);
    return make(sequence_literal{std::move(items)}, joined(begin, last()), height);
  }

  expression number(const token& t) {
    const auto* first = t.text.data();
    const auto* end = first + t.text.size();
    if (t.kind == token_kind::integer) {
      std::int64_t value = 0;
      if (std::from_chars(first, end, value).ec != std::errc())
        throw syntax_error(
            "the integer does not fit int64: write it as a real, " + std::string(t.text) + ".0",
            t.at);
      return make(number_literal{value}, t.at);
    }
    double value = 0;
    if (std::from_chars(first, end, value).ec == std::errc::result_out_of_range)
      value = std::strtod(std::string(t.text).c_str(), nullptr);
    return make(number_literal{value}, t.at);
  }

  expression output(const token& t) {
    std::uint64_t value = 0;
    if (t.text.size() > 1 &&
        (std::from_chars(t.text.data() + 1, t.text.data() + t.text.size(), value).ec !=
             std::errc() ||
         value == 0))
      throw syntax_error("no output has this number", t.at);
    return make(output_use{value}, t.at);
  }

  expression word(const token& t) {
    const auto text = t.text;
    if (text == "true" || text == "True") return make(number_literal{true}, take().at);
    if (text == "false" || text == "False") return make(number_literal{false}, take().at);
    if (text == "none" || text == "None") return make(none_literal{}, take().at);
    if (text == "newaxis") return make(new_axis_literal{}, take().at);
    const auto name = identifier("where a value should be");
    return make(name_use{name}, t.at);
  }

  std::string_view input_;
  symbol_table& symbols_;
  const origin& from_;
  std::vector<token> tokens_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

}  // namespace

block parse(std::string_view input, symbol_table& symbols, const origin& from) {
  return parser(input, symbols, from).statements();
}

expression parse_expression(std::string_view input, symbol_table& symbols, const origin& from) {
  return parser(input, symbols, from).only_expression();
}

}  // namespace troupe::shell
