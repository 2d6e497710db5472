// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "troupe/apps/shell/cpp_writer/writer.hpp"
#include "troupe/language/syntax/lexer.hpp"

namespace troupe::shell::cpp {

namespace {

/// Keywords and macros of C++, and names of the library that programs use and that are no words of
/// the language, between blanks.
constexpr std::string_view reserved =
    " alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char char16_t "
    "char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval "
    "constexpr constinit continue decltype default delete do double dynamic_cast else enum errno "
    "explicit export extern false float for friend goto if inline int linux long main mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private protected public register "
    "requires restrict return short signed sizeof static static_assert static_cast stderr stdin "
    "stdout struct switch template this thread_local throw true try typedef typeid typename union "
    "unix unsigned using virtual void volatile wchar_t while xor xor_eq EOF NULL NAN INFINITY "
    "HUGE_VAL axes bfloat16 boolean device dtype every float16 float32 float64 index int32 int64 "
    "keepdims newaxis now on_device range real_text rt runtime scalar shape std stddev tensor "
    "ticks "
    "troupe ";

constexpr int most_calls = 20'000;  // followed, of functions that call functions

std::string in_braces(const std::vector<std::string>& lines) {
  if (lines.size() == 1) return "{ " + lines[0] + " }";
  std::string out = "{\n";
  for (const auto& one : lines) out += "  " + one + "\n";
  return out + "}";
}

/// Writes `x.template item<bool>()`, as C++ wants it where the type of x is a parameter's.
void name_members_templates(std::string& text) {
  constexpr std::string_view member = ".item<";
  for (std::size_t at = 0; (at = text.find(member, at)) != std::string::npos; at += member.size())
    text.insert(at + 1, "template ");
}

}  // namespace

value writer::call_function(const function& f, std::vector<value> arguments,
                            std::source_location where) {
  const auto callee = lambda_of(f, arguments, where);
  for (auto& one : arguments) one.text = typed(one);
  return call_of(callee.text, arguments, callee.is);
}

/// Returns the C++ function for arguments of these kinds; its kind is that of its result. A named
/// one stands in main, once for each text that it has.
value writer::lambda_of(const function& f, const std::vector<value>& arguments,
                        std::source_location where) {
  if (arguments.size() != f.parameters.size()) refuse("a call with other arguments", where);
  if (++calls_ > most_calls) refuse("so many calls of functions", where);
  if (!open_.insert(&f).second) refuse("a function that calls itself", where);
  const auto names = names_;
  frame own{.around = f.around, .source = f.source};
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (type_of(arguments[i].is).empty())
      refuse(name_of(arguments[i].is) + " as the argument of a function", where);
    auto& name = parameters.emplace_back(symbols_.name(f.parameters[i]));
    if (is_reserved(name)) name += "_1";
    names_.insert(name);
    own.variables[f.parameters[i]] = {.is = arguments[i].is, .text = name, .variable = true};
  }
  frame* const before = std::exchange(frame_, &own);
  value result;
  if (f.result) {
    const auto given = write(*f.result);
    give_result(given.is == kind::list ? given : settled(given, where), result, where);
  } else {
    run_block(*f.body, &result);
  }
  frame_ = before;
  names_ = names;
  for (const auto& [_, kept] : written_) names_.insert(kept);
  open_.erase(&f);

  std::string text;
  for (const auto& name : parameters) {
    text += text.empty() ? "" : ", ";
    text += (own.changed.count(name) > 0 ? "auto " : "const auto& ") + name;
  }
  text = "[&](" + text + ") " + in_braces(own.lines);
  name_members_templates(text);
  value out{.is = result.is, .text = text};
  if (f.name.empty()) return out;
  auto& name = written_[{f.name, text}];
  if (name.empty()) {
    name = unused_name(f.name);
    emit_before(main_, "const auto " + name + " = " + text + ";");
  }
  out.text = name;
  return out;
}

bool is_reserved(std::string_view name) {
  return reserved.find(" " + std::string(name) + " ") != std::string_view::npos || find_word(name);
}

writer::writer(symbol_table& symbols, std::string_view source)
    : symbols_(symbols), all_text_(source) {}

/// Returns a variable, also of the functions around the current one and of main; null if none.
const value* writer::find(symbol name) {
  for (auto* f = frame_; f; f = f->around) {
    if (const auto found = f->variables.find(name); found != f->variables.end())
      return &found->second;
  }
  const auto found = main_.variables.find(name);
  return found == main_.variables.end() ? nullptr : &found->second;
}

/// Returns a name that no variable has, nor one of a later input.
std::string writer::unused_name(std::string_view base) {
  std::string name(base);
  const auto taken = [&] {
    return is_reserved(name) || names_.count(name) > 0 ||
           (name != base && mentions(all_text_, name) > 0);
  };
  for (int i = is_reserved(name) ? 1 : 2; taken(); ++i)
    name = std::string(base) + "_" + std::to_string(i);
  names_.insert(name);
  return name;
}

/// Declares a constant that holds the value of an expression, unless it is a name or a number.
value writer::fresh(std::string_view base, const value& x) {
  if (type_of(x.is).empty() || x.variable || x.constant) return x;
  const auto name = unused_name(base);
  emit("const " + type_of(x.is) + " " + name + " = " + typed(x) + ";");
  return {.is = x.is, .text = name, .variable = true};
}

void writer::emit(const std::string& text) {
  insert(*frame_, frame_->lines.size(), text, frame_->locals.size());
}

/// Writes text in front of a line. Returns the number of new lines.
std::size_t writer::insert(frame& f, std::size_t at, const std::string& text, std::size_t indent) {
  const auto before = f.lines.size();
  const std::string margin(indent * 2, ' ');
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    f.lines.insert(f.lines.begin() + static_cast<std::ptrdiff_t>(at++),
                   margin + text.substr(begin, end - begin));
    begin = end + 1;
  }
  return f.lines.size() - before;
}

/// Writes a declaration in front of the outermost statement.
void writer::emit_before(frame& f, const std::string& text) {
  f.statement += insert(f, f.statement, text, 0);
}

std::string writer::text() const {
  std::string out;
  for (const auto& line : main_.lines) out += "  " + line + "\n";
  return out;
}

std::size_t mentions(std::string_view text, std::string_view name) {
  const auto all = tokenise(text);
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const token& t) { return t.text == name; }));
}

}  // namespace troupe::shell::cpp
