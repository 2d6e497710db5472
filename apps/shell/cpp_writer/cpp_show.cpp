// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_statement.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

/// What is put to std::cout, one after the other.
class output {
 public:
  output(cpp_context& c, std::source_location where) : c_(c), where_(where) {}

  void text(std::string_view characters) { literal_ += characters; }

  void value(const cpp_value& x) {
    switch (x.kind.is) {
      case type::truth: c_.prints_truths = true; return put(x);
      case type::real: return put("real_text(" + x.text + ")");
      case type::text:
        if (x.kind.known_text && !x.held) return text(*x.kind.known_text);
        return put(x);
      case type::range: return text(range(x));
      case type::list: return list(x);
      case type::pair: return pair(x);
      case type::arrays: return put("list_text(" + x.text + ")");
      case type::sizes: return put("sizes_text(" + x.text + ")");
      case type::function: return text(function(*x.kind.function));
      case type::array:
        if (x.kind.listed) refuse("showing a list of numbers that has a name", where_);
        return put(x);
      case type::mixed: refuse(x.kind.facts, where_);
      default: return put(x);
    }
  }

  std::string statement() {
    literal_ += '\n';
    end_literal();
    return "std::cout" + out_ + ";";
  }

 private:
  void put(const std::string& expression) {
    end_literal();
    out_ += " << " + expression;
  }
  void put(const cpp_value& x) { put(within(x, cpp_strength::shift + 1)); }

  void end_literal() {
    if (literal_.empty()) return;
    out_ += " << " + (literal_ == "\n" ? std::string("'\\n'") : quoted(literal_));
    literal_.clear();
  }

  /// An item of a list: an array without its type.
  void item(const cpp_value& x) {
    if (x.kind != type::array) return value(x);
    put("numbers_text(" + x.text + ")");
  }

  void list(const cpp_value& x) {
    text("[");
    for (const auto& one : x.items) {
      if (&one != x.items.data()) text(", ");
      item(one);
    }
    text("]");
  }

  void pair(cpp_value x) {
    if (!x.plain) x = c_.named("both", x);
    text("[");
    item(cpp_member_of(x, "first", {.is = type::array}));
    text(", ");
    item(cpp_member_of(x, "second", {.is = type::array}));
    text("]");
  }

  std::string range(const cpp_value& x) const {
    if (!x.ends) refuse("showing a range that has a name", where_);
    const auto end = [&](const std::optional<cpp_value>& e) -> std::string {
      if (!e) return "";
      const auto known = known_integer(*e);
      if (!known) refuse("showing a range whose ends are not known", where_);
      return std::to_string(*known);
    };
    const auto step = end(x.ends->step);
    return end(x.ends->start) + ":" + end(x.ends->stop) +
           (step.empty() || step == "1" ? "" : ":" + step);
  }

  static std::string function(const cpp_function& f) {
    if (f.is == cpp_function::what::word)
      return usage(*f.builtin) + "\n    " + std::string(f.builtin->doc);
    return f.text;
  }

  cpp_context& c_;
  std::source_location where_;
  std::string out_, literal_;
};

}  // namespace

std::string cpp_show(cpp_context& c, const cpp_value& x, std::source_location where) {
  output out(c, where);
  out.value(x);
  return out.statement();
}

}  // namespace troupe::shell
