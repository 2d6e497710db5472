// SPDX-License-Identifier: MIT
#include "troupe/language/syntax/token_stream.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "troupe/language/syntax/lexer.hpp"
#include "troupe/tensor/caller_at.hpp"

namespace troupe::language {

token_stream::token_stream(std::string_view input, symbol_table& symbols, const origin& from)
    : symbols_(symbols), from_(from), tokens_(tokenise(input)) {
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (input[i] == '\n') lines_.push_back(i + 1);
  }
}

const token& token_stream::ahead(std::size_t n) const noexcept {
  return tokens_[std::min(next_ + n, tokens_.size() - 1)];
}

const token& token_stream::take() noexcept {
  const auto& t = here();
  if (t.kind != token_kind::end) ++next_;
  return t;
}

bool token_stream::take_if(std::string_view text) noexcept {
  if (!here().is(text)) return false;
  ++next_;
  return true;
}

void token_stream::skip_newlines() noexcept {
  while (here().kind == token_kind::newline) ++next_;
}

text_span token_stream::since(text_span begin) const noexcept {
  return at_start() ? begin : joined(begin, before().span);
}

void token_stream::incomplete(const std::string& more, text_span began) const {
  throw incomplete_input("the input ends " + more, began);
}

/// Returns true if a bracket is open here, so that the next line goes on with this one.
bool token_stream::within_brackets() const noexcept {
  int open = 0;
  for (std::size_t i = 0; i < next_; ++i) {
    const auto& t = tokens_[i];
    open += t.is("(") || t.is("[") || t.is("{");
    open -= t.is(")") || t.is("]") || t.is("}");
  }
  return open > 0;
}

void token_stream::unexpected(const std::string& more) const {
  const auto& t = here();
  const bool ends = t.kind == token_kind::end;
  if (ends && within_brackets()) incomplete(more);
  const bool line_ends = ends || t.kind == token_kind::newline;
  throw syntax_error(
      (line_ends ? "the line ends" : "unexpected " + std::string(t.text)) + " " + more, t.span);
}

void token_stream::expect(std::string_view text, const std::string& more) {
  if (!take_if(text)) unexpected(more);
}

symbol token_stream::identifier(const std::string& more) {
  const auto& t = here();
  if (t.kind == token_kind::output)
    throw syntax_error(std::string(t.text) + " names an output and cannot be given", t.span);
  if (t.kind != token_kind::name) unexpected(more);
  if (is_keyword(t.text))
    throw syntax_error(std::string(t.text) + " is a word of the language and names nothing else",
                       t.span);
  return symbols_.of(take().text);
}

std::vector<parameter_declaration> token_stream::parameters() {
  std::vector<parameter_declaration> all;
  expect("(", "where parameters should be");
  while (!take_if(")")) {
    const auto at = here().span;
    const auto name = identifier("where a parameter's name should be");
    if (std::ranges::find(all, name, &parameter_declaration::name) != all.end())
      throw syntax_error("two parameters of this name", at);
    all.push_back({name, at});
    if (take_if(":")) all.back().type = type_here();
    if (!here().is(")")) expect(",", "between parameters");
  }
  return all;
}

array_type token_stream::type_here() {
  const auto begin = here().span;
  const auto element = std::ranges::find(all_dtypes, here().text, [](dtype t) { return name(t); });
  if (element == std::end(all_dtypes) || !ahead(1).is("["))
    throw syntax_error("a type is a dtype and sizes, such as float32[2, 3]", begin);
  skip(2);
  array_type out{*element, {}};
  while (!take_if("]")) {
    const auto size = take();
    std::int64_t n = 0;
    const auto [end, trouble] = std::from_chars(size.text.begin(), size.text.end(), n);
    if (size.kind != token_kind::integer || trouble != std::errc() || end != size.text.end())
      throw syntax_error("the size of an axis is an integer", size.span);
    if (out.dims.rank() == max_rank)
      throw syntax_error("more than " + std::to_string(max_rank) + " axes", since(begin));
    out.dims.push_back(n);
    if (!here().is("]")) expect(",", "between the sizes of a type");
  }
  return out;
}

std::source_location token_stream::place(text_span at) const {
  if (!from_.counts_lines)
    return caller_at(from_.file, from_.line, static_cast<unsigned>(from_.column + at.begin + 1));
  const auto line = std::upper_bound(lines_.begin(), lines_.end(), at.begin) - lines_.begin() - 1;
  const auto column = at.begin - lines_[static_cast<std::size_t>(line)];
  return caller_at(from_.file, from_.line + static_cast<unsigned>(line),
                   static_cast<unsigned>(column + 1));
}

}  // namespace troupe::language
