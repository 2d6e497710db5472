// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/open_call.hpp"

#include <algorithm>

#include "troupe/language/syntax/lexer.hpp"

namespace troupe::shell {

namespace {

bool in_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool opens(char c) noexcept { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) noexcept { return c == ')' || c == ']' || c == '}'; }

/// Returns the last bracket that is not closed; npos if all are.
std::size_t open_bracket(std::string_view text) noexcept {
  int depth = 0;
  for (auto i = text.size(); i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i]) && depth-- == 0) return i;
  }
  return std::string_view::npos;
}

/// Returns the parts between the commas and semicolons outside of brackets.
std::vector<std::string_view> arguments_in(std::string_view text) {
  std::vector<std::string_view> all;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (opens(text[i])) ++depth;
    if (closes(text[i])) --depth;
    if (depth > 0 || (text[i] != ',' && text[i] != ';')) continue;
    all.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  all.push_back(trimmed(text.substr(begin)));
  return all;
}

/// Returns the name in `axis=1`; empty for an argument without one.
std::string_view name_of(std::string_view argument) noexcept {
  const auto sign = argument.find('=');
  if (sign == std::string_view::npos || argument.substr(sign).starts_with("==")) return "";
  const auto name = trimmed(argument.substr(0, sign));
  return begin_of_name(name) == 0 ? name : "";
}

}  // namespace

std::size_t begin_of_name(std::string_view text) noexcept {
  auto begin = text.size();
  while (begin > 0 && in_name(text[begin - 1])) --begin;
  return begin;
}

std::optional<open_call> open_call_in(std::string_view text) {
  const auto bracket = open_bracket(text);
  if (bracket == std::string_view::npos || text[bracket] != '(') return {};
  const auto begin = begin_of_name(text.substr(0, bracket));
  open_call call{find_word(text.substr(begin, bracket - begin)),
                 begin > 0 && text[begin - 1] == '.', arguments_in(text.substr(bracket + 1)), ""};
  if (!call.function) return {};
  call.last = call.whole.back();
  call.whole.pop_back();
  return call;
}

std::vector<const parameter*> open_call::left() const {
  std::vector<std::string_view> names;
  std::size_t unnamed = method ? 1 : 0;
  for (const auto argument : whole) {
    if (const auto name = name_of(argument); name.empty()) ++unnamed;
    else names.push_back(name);
  }
  std::vector<const parameter*> all;
  for (const auto& p : function->parameters) {
    const bool takes_the_rest =
        unnamed > 0 && (p.kind == parameter_kind::sizes || p.kind == parameter_kind::several ||
                        p.kind == parameter_kind::row);
    if (unnamed > 0) unnamed = takes_the_rest ? 0 : unnamed - 1;
    else if (std::find(names.begin(), names.end(), p.name) == names.end()) all.push_back(&p);
  }
  return all;
}

const parameter* open_call::named() const noexcept {
  if (!last.ends_with('=')) return nullptr;
  const auto name = name_of(last);
  const auto found = std::find_if(function->parameters.begin(), function->parameters.end(),
                                  [&](const parameter& p) { return p.name == name; });
  return found == function->parameters.end() ? nullptr : &*found;
}

}  // namespace troupe::shell
