// SPDX-License-Identifier: MIT
#include "troupe/language/syntax/token_stream.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "troupe/language/syntax/lexer.hpp"
#include "troupe/language/syntax/operators.hpp"

namespace troupe::language {

namespace {

class expression_parser {
 public:
  explicit expression_parser(token_stream& in) : in_(in) {}

  /// Parses `x` or `x, y`.
  expression expression_list() {
    auto first = expression_here();
    if (!in_.here().is(",")) return first;
    const auto begin = first.span;
    std::vector<expression> items;
    items.push_back(std::move(first));
    while (in_.take_if(",")) items.push_back(expression_here());
    const int height = height_of(items);
    return make(sequence_literal{std::move(items)}, in_.since(begin), height);
  }

  expression expression_here() {
    const nesting deeper(*this);
    if (is_lambda()) return lambda_here();
    const auto begin = in_.here().span;
    expression_ptr parts[3];
    int height = 0;
    std::size_t colons = 0;
    if (!in_.here().is(":")) {
      auto first = operation(1);
      if (in_.here().is("if")) return conditional_of(std::move(first));
      if (!in_.here().is(":")) return first;
      parts[0] = boxed(std::move(first));
    }
    while (colons < 2 && in_.take_if(":")) {
      ++colons;
      if (begins_expression()) parts[colons] = boxed(operation(1));
    }
    for (const auto& p : parts) {
      if (p) height = std::max<int>(height, p->height);
    }
    return make(slice_literal{std::move(parts[0]), std::move(parts[1]), std::move(parts[2])},
                in_.since(begin), height);
  }

 private:
  class nesting {
   public:
    explicit nesting(expression_parser& p) : p_(p) {
      if (++p.depth_ > deepest_nesting) throw syntax_error("nested too deeply", p.in_.here().span);
    }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;
    ~nesting() { --p_.depth_; }

   private:
    expression_parser& p_;
  };

  template <class Node>
  expression make(Node node, text_span at, std::initializer_list<const expression*> below = {}) {
    int height = 0;
    for (const auto* one : below) {
      if (one) height = std::max<int>(height, one->height);
    }
    return make(std::move(node), at, height);
  }
  template <class Node>
  expression make(Node node, text_span at, int height_below) {
    if (height_below >= deepest_nesting) throw syntax_error("nested too deeply", at);
    return {std::move(node), at, in_.place(at), static_cast<std::uint16_t>(height_below + 1)};
  }
  static expression_ptr boxed(expression e) { return std::make_unique<expression>(std::move(e)); }
  static int height_of(const std::vector<expression>& all) noexcept {
    int height = 0;
    for (const auto& one : all) height = std::max<int>(height, one.height);
    return height;
  }

  bool begins_expression() const noexcept {
    const auto& t = in_.here();
    switch (t.kind) {
      case token_kind::end:
      case token_kind::newline: return false;
      case token_kind::sign: return t.is("(") || t.is("[") || t.is("-") || t.is("+") || t.is("~");
      default: return !find_operator(t);
    }
  }

  bool is_lambda() const noexcept {
    if (in_.here().kind == token_kind::name && in_.ahead(1).is("->")) return true;
    if (!in_.here().is("(")) return false;
    std::size_t n = 1;
    while (in_.ahead(n).kind == token_kind::name || in_.ahead(n).is(",")) ++n;
    return in_.ahead(n).is(")") && in_.ahead(n + 1).is("->");
  }

  expression lambda_here() {
    const auto begin = in_.here().span;
    std::vector<symbol> names;
    if (in_.here().is("(")) names = names_of(in_.parameters());
    else names.push_back(in_.identifier("where a parameter should be"));
    in_.expect("->", "where -> should be");
    auto body = std::make_shared<const expression>(expression_here());
    const int height = body->height;
    return make(lambda{std::move(names), std::move(body)}, in_.since(begin), height);
  }

  expression conditional_of(expression when_true) {
    in_.take();
    auto condition = operation(1);
    in_.expect("else", "where else should be");
    auto when_false = expression_here();
    const auto whole = joined(when_true.span, when_false.span);
    const int height = std::max({when_true.height, condition.height, when_false.height});
    return make(conditional{boxed(std::move(when_true)), boxed(std::move(condition)),
                            boxed(std::move(when_false))},
                whole, height);
  }

  /// Parses operators that bind at least as strongly as given.
  expression operation(int strength) {
    const nesting deeper(*this);
    auto x = operand(strength);
    for (;;) {
      const auto* row = find_operator(in_.here());
      if (in_.here().is("&&") || in_.here().is("||"))
        throw syntax_error("use & and | for elements, or the words and, or", in_.here().span);
      if (!row || row->strength < strength) return x;
      const auto at = in_.take().span;
      auto y = operation(row->strength + 1);
      if (row->strength == strength_of_comparison) refuse_chain(y);
      const auto whole = joined(x.span, y.span);
      const int height = std::max(x.height, y.height);
      x = make(binary{row->op, boxed(std::move(x)), boxed(std::move(y))}, at, height);
      x.span = whole;
    }
  }

  void refuse_chain(const expression&) const {
    const auto* next = find_operator(in_.here());
    if (next && next->strength == strength_of_comparison)
      throw syntax_error("comparisons do not chain: say (a < b) & (b < c)", in_.here().span);
  }

  expression operand(int strength) {
    const auto begin = in_.here().span;
    if (in_.here().is("not") && strength <= strength_of_not) {
      in_.take();
      auto x = operation(strength_of_not);
      const int height = x.height;
      return make(unary{unary_operator::negation, boxed(std::move(x))}, in_.since(begin), height);
    }
    const auto sign = in_.here().is("-")   ? std::optional(unary_operator::negative)
                      : in_.here().is("+") ? std::optional(unary_operator::positive)
                      : in_.here().is("~") ? std::optional(unary_operator::invert)
                                           : std::nullopt;
    if (!sign) return power();
    const nesting deeper(*this);
    in_.take();
    auto x = operand(strength_of_sign);
    const int height = x.height;
    return make(unary{*sign, boxed(std::move(x))}, in_.since(begin), height);
  }

  /// Parses `x ** y`: from right to left, and stronger than a sign before it.
  expression power() {
    auto x = with_suffixes(atom());
    if (!in_.here().is("**")) return x;
    const nesting deeper(*this);
    const auto at = in_.take().span;
    auto y = operand(strength_of_sign);
    const auto whole = joined(x.span, y.span);
    const int height = std::max(x.height, y.height);
    auto out =
        make(binary{binary_operator::power, boxed(std::move(x)), boxed(std::move(y))}, at, height);
    out.span = whole;
    return out;
  }

  expression with_suffixes(expression x) {
    for (;;) {
      const auto begin = x.span;
      if (in_.here().is("(")) {
        x = call_of(std::move(x));
      } else if (in_.here().is("[")) {
        in_.take();
        if (in_.here().is("]")) throw syntax_error("an index is missing", in_.here().span);
        auto items = expressions_until("]", "in the brackets");
        const int height = std::max<int>(x.height, height_of(items));
        x = make(subscript{boxed(std::move(x)), std::move(items)}, in_.since(begin), height);
      } else if (in_.here().is(".")) {
        in_.take();
        if (in_.here().kind != token_kind::name)
          in_.unexpected("where an attribute's name should be");
        const auto name = in_.symbol_of(in_.take());
        const int height = x.height;
        x = make(attribute{boxed(std::move(x)), name}, in_.since(begin), height);
      } else {
        return x;
      }
    }
  }

  expression call_of(expression function) {
    const auto begin = function.span;
    call_expression c{boxed(std::move(function)), {}, {}};
    int height = c.function->height;
    in_.take();
    while (!in_.take_if(")")) {
      if (in_.here().kind == token_kind::name && in_.ahead(1).is("=")) {
        const auto at = in_.here().span;
        const auto name = in_.symbol_of(in_.take());
        in_.take();
        for (const auto& other : c.named) {
          if (other.name == name) throw syntax_error("an argument that is given twice", at);
        }
        c.named.push_back({name, at, boxed(expression_here())});
        height = std::max<int>(height, c.named.back().value->height);
      } else if (!c.named.empty()) {
        throw syntax_error("arguments without a name come before those with one", in_.here().span);
      } else {
        c.arguments.push_back(expression_here());
        height = std::max<int>(height, c.arguments.back().height);
      }
      if (!in_.here().is(")") && !in_.take_if(",") && !in_.take_if(";"))
        in_.unexpected("among the arguments");
    }
    return make(std::move(c), in_.since(begin), height);
  }

  std::vector<expression> expressions_until(std::string_view end, const std::string& more) {
    std::vector<expression> all;
    while (!in_.take_if(end)) {
      all.push_back(expression_here());
      if (!in_.here().is(end)) in_.expect(",", more);
    }
    return all;
  }

  expression atom() {
    const auto& t = in_.here();
    switch (t.kind) {
      case token_kind::integer:
      case token_kind::imaginary:
      case token_kind::real: return number(in_.take());
      case token_kind::text: return make(text_literal{unquoted(t)}, in_.take().span);
      case token_kind::output: return output(in_.take());
      case token_kind::name: return word(t);
      case token_kind::sign: break;
      default: in_.unexpected("where a value should be");
    }
    const auto begin = t.span;
    if (in_.take_if("...")) return make(rest_literal{}, begin);
    if (in_.take_if("[")) {
      auto items = expressions_until("]", "in the list");
      const int height = height_of(items);
      return make(sequence_literal{std::move(items)}, in_.since(begin), height);
    }
    if (!in_.take_if("(")) in_.unexpected("where a value should be");
    if (in_.take_if(")")) return make(sequence_literal{}, in_.since(begin));
    auto first = expression_here();
    if (in_.take_if(")")) {
      first.span = in_.since(begin);
      return first;
    }
    in_.expect(",", "in the parentheses");
    auto items = expressions_until(")", "in the parentheses");
    items.insert(items.begin(), std::move(first));
    const int height = height_of(items);
    return make(sequence_literal{std::move(items)}, in_.since(begin), height);
  }

  expression number(const token& t) {
    const auto* first = t.text.data();
    const bool imaginary = t.kind == token_kind::imaginary;
    const auto* end = first + t.text.size() - (imaginary ? 1 : 0);
    if (t.kind == token_kind::integer) {
      std::uint64_t value = 0;
      if (std::from_chars(first, end, value).ec != std::errc())
        throw syntax_error(
            "the integer does not fit uint64: write it as a real, " + std::string(t.text) + ".0",
            t.span);
      return make(number_literal{value}, t.span);
    }
    double value = 0;
    if (std::from_chars(first, end, value).ec == std::errc::result_out_of_range)
      value = std::strtod(std::string(t.text).c_str(), nullptr);
    if (imaginary) return make(number_literal{std::complex<double>(0, value)}, t.span);
    return make(number_literal{value}, t.span);
  }

  expression output(const token& t) {
    std::uint64_t value = 0;
    if (t.text.size() > 1 &&
        (std::from_chars(t.text.data() + 1, t.text.data() + t.text.size(), value).ec !=
             std::errc() ||
         value == 0))
      throw syntax_error("no output has this number", t.span);
    return make(output_use{value}, t.span);
  }

  expression word(const token& t) {
    const auto text = t.text;
    if (text == "true" || text == "True") return make(number_literal{true}, in_.take().span);
    if (text == "false" || text == "False") return make(number_literal{false}, in_.take().span);
    if (text == "none" || text == "None") return make(none_literal{}, in_.take().span);
    if (text == "newaxis") return make(new_axis_literal{}, in_.take().span);
    const auto name = in_.identifier("where a value should be");
    return make(name_use{name}, t.span);
  }

  token_stream& in_;
  int depth_ = 0;
};

}  // namespace

expression parse_expression(token_stream& in) { return expression_parser(in).expression_here(); }
expression parse_expressions(token_stream& in) { return expression_parser(in).expression_list(); }

}  // namespace troupe::language
