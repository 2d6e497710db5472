// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/complete.hpp"

#include "troupe/apps/shell/commands/language_words.hpp"
#include "troupe/apps/shell/evaluator/attributes_of.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"
#include "troupe/apps/shell/session/candidates.hpp"
#include "troupe/apps/shell/session/complete_command.hpp"
#include "troupe/apps/shell/session/complete_file.hpp"
#include "troupe/apps/shell/session/open_call.hpp"

namespace troupe::shell {

namespace {

/// Blanks what stands in the quotes of a line. Gives where the text begins that the line ends in,
/// or npos if it ends in none.
std::size_t blank_texts(std::string& line) noexcept {
  auto open = std::string::npos;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (open == std::string::npos) {
      if (line[i] == '"' || line[i] == '\'') open = i;
    } else if (line[i] == line[open]) {
      open = std::string::npos;
    } else {
      if (line[i] == '\\' && i + 1 < line.size()) line[i++] = ' ';
      line[i] = ' ';
    }
  }
  return open;
}

/// What comes behind a dot.
void offer_attributes(candidates& all) {
  for (const auto& row : all_attributes()) all.offer(row.name);
  for (const auto& w : all_words())
    if (!w.parameters.empty() && (w.parameters[0].kind == parameter_kind::array ||
                                  w.parameters[0].kind == parameter_kind::operand))
      all.offer(w.name, "(");
}

void offer_dtypes(candidates& all) {
  for (const auto t : all_dtypes) all.offer(name(t));
}

/// The values of a parameter, if they are few. False if they are not.
bool offer_values(const parameter& p, candidates& all) {
  switch (p.kind) {
    case parameter_kind::dtype: offer_dtypes(all); return true;
    case parameter_kind::flag:
      all.offer("true");
      all.offer("false");
      return true;
    case parameter_kind::device:
      all.offer("cpu", "(");
      all.offer("gpu", "(");
      return true;
    default: return false;
  }
}

void offer_variables(session& s, candidates& all) {
  for (const auto name : s.variables().names()) all.offer(s.symbols().name(name));
}

void offer_words(candidates& all) {
  for (const auto& w : all_words()) all.offer(w.name, "(");
  offer_dtypes(all);
  for (const auto& w : all_language_words()) all.offer(w.name);
}

/// Of an expression or a statement whose texts are blanked.
completions complete_expression(session& s, std::string_view line) {
  const auto begin = begin_of_name(line);
  const auto typed = line.substr(begin), before = line.substr(0, begin);
  candidates all(typed, begin);
  if (before.ends_with('.')) {
    offer_attributes(all);
    return all.finish();
  }
  if (const auto call = open_call_in(before)) {
    if (const auto* p = call->named(); p && offer_values(*p, all)) return all.finish();
    if (call->here.empty())
      for (const auto* p : call->left()) all.offer(p->name, "=");
  }
  if (typed.empty()) return all.finish();  // everything would be no help
  offer_variables(s, all);
  all.next_group();
  offer_words(all);
  return all.finish();
}

}  // namespace

completions complete(session& s, std::string_view line, std::size_t cursor) {
  line = line.substr(0, cursor);
  std::string plain(line);
  if (const auto quote = blank_texts(plain); quote != std::string::npos)
    return complete_file(line.substr(quote + 1), quote + 1);
  if (line.starts_with(':') || line.starts_with('?'))
    if (auto found = complete_command(s, line)) return std::move(*found);
  return complete_expression(s, plain);
}

}  // namespace troupe::shell
