// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

constexpr std::string_view language =
    "Submitting is instant, showing waits, and what does not depend on each other runs at the same "
    "time.\n"
    R"(
  literals     1  2.5  1e-3  [[1, 2], [3, 4]]  "w.npy"  0:10
  constants    pi  e  inf  nan  true  false  none  newaxis
  make         ones(2, 3)  uniform(2000, 2000)  arange(10)  normal(3; seed=1)  load("w.npy")
  operators    + - * / // % ** @   == != < <= > >=   & | ^ ~   and or not
  parts        a[0]  a[1:3, :]  a[..., -1]  a[newaxis]  a[[2, 0]]  a.at[[0, 0]].add(1)
  attributes   a.T  a.shape  a.dtype  a.device  a.size  a.ndim  a.ready
  calls        sum(a, axis=1)   a.sum(axis=1)   float32(a)
  statements   x = expr    expr    expr;  (no output)    a, b = split(x, 2)    x += 1    del x
               print a, b  (also within braces)    _  the last output    _3  output 3    # a comment
  functions    f = x -> sum(x * x)    def f(a, b) { c = a + b; c * 2 }    grad(f)(a, b)
  control      repeat 100 { ... }   for i in 0:10 { ... }   while e { ... }   break   continue
               if e { ... } else { ... }
  lists        [1, 2] is an array; [] and [a, "b"] are lists: append(r, x)   r + [x]
  placement    on cpu(1) { ... }    b = a.to(cpu(1))
  concurrency  time { ... }   in_order { ... }   wait c   wait_all

What stands in braces is submitted at once: only data makes order, unless it is in_order.
)";

void list_commands(std::string& out) {
  std::string_view group;
  for (const auto& c : all_commands()) {
    if (c.group != group) {
      group = c.group;
      out.append("\n").append(group).append("\n");
    }
    std::string left = "  " + usage(c);
    left.resize(std::max<std::size_t>(left.size() + 2, 26), ' ');
    out.append(left).append(c.doc).append("\n");
  }
}

std::string text_of_word(const word& w) {
  std::string out = usage(w) + "\n    " + std::string(w.doc) + "\n";
  for (const auto& p : w.parameters) {
    out.append("    ").append(p.name).append(": ").append(kind_name(p.kind));
    if (!p.needed()) out.append("; ").append(p.fallback).append(" if it is left out");
    out += "\n";
  }
  return out;
}

/// Returns all meanings of a word: it may be a function, a statement, a command and an attribute.
std::string text_about(std::string_view about) {
  std::string out;
  if (const auto* w = find_word(about)) out += text_of_word(*w);
  if (const auto* w = find_language_word(about))
    out.append(w->example).append("\n    ").append(w->doc).append("\n");
  if (const auto* c = find_command(about))
    out.append(usage(*c)).append("\n    ").append(c->doc).append("\n");
  for (const auto& row : all_attributes()) {
    if (row.name == about)
      out.append("x.").append(row.name).append("\n    ").append(row.doc).append("\n");
  }
  return out;
}

void help(session& s, const command_input& given) {
  auto about = given.expression();
  if (about.empty()) {
    std::string out(language);
    list_commands(out);
    out += "\n:help WORD or ?WORD says more, :ops lists the functions, :lesson 1 begins a tour.\n";
    return s.reporting().text(out);
  }
  if (about.starts_with(':')) about.remove_prefix(1);
  const auto out = text_about(about);
  if (out.empty())
    throw error("there is no help on " + std::string(about) + suggestion(about, help_topics()), {});
  s.reporting().text(out);
}

/// Returns true if a text contains a pattern, ignoring case.
bool has(std::string_view text, std::string_view pattern) {
  return in_lower_case(text).find(in_lower_case(pattern)) != std::string::npos;
}

void ops(session& s, const command_input& given) {
  const auto pattern = given.expression();
  std::string out;
  for (const auto group : word_groups()) {
    std::vector<std::string> names;
    for (const auto& w : all_words()) {
      if (w.group == group && (has(w.name, pattern) || has(w.doc, pattern)))
        names.emplace_back(w.name);
    }
    if (names.empty()) continue;
    out.append(group).append("\n");
    const auto columns = in_columns(names, 76);
    for (std::string_view rest = columns; !rest.empty();) {
      const auto end = rest.find('\n') + 1;
      out.append("  ").append(rest.substr(0, end));
      rest.remove_prefix(end);
    }
  }
  if (out.empty())
    throw error("no function has " + std::string(pattern) + " in its name or help", {});
  s.reporting().text(out);
}

}  // namespace

std::vector<command> help_commands() {
  const command_argument topic{"WORD", argument_kind::topic, false};
  const command_argument pattern{"PATTERN", argument_kind::text, false};
  return {
      {"help", "Help", {topic}, "this overview, or what a word does; ?word is the same", help},
      {"ops", "Help", {pattern}, "the functions, or those whose name or help has the pattern", ops},
  };
}

}  // namespace troupe::shell
