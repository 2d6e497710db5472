// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <optional>

#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/print.hpp"
#include "troupe/text/quoted.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe::language {

namespace {

dynamic_value length_of(const arguments& a) {
  const auto& x = a.any(0);
  if (const auto* const text = std::get_if<std::string>(&x))
    return scalar(std::count_if(text->begin(), text->end(),
                                [](char byte) { return !continues_character(byte); }));
  if (const auto* const items = std::get_if<std::shared_ptr<const list>>(&x))
    return scalar(static_cast<std::int64_t>((*items)->items.size()));
  if (!is_array_like(x)) throw error("len: " + describe(x) + " has no length", a.where());
  const auto array = to_array(x, "len", a.where());
  if (array.rank() == 0) throw error("len: " + to_string(array.type()) + " has no axis", a.where());
  return scalar(array.shape()[0]);
}

/// Reads a number as it is written, with blanks around it: an integer if it can be one.
scalar read_number(std::string_view text, caller where) {
  constexpr std::string_view blanks = " \t\r\n";
  auto rest = text.substr(std::min(text.find_first_not_of(blanks), text.size()));
  rest = rest.substr(0, rest.find_last_not_of(blanks) + 1);
  if (rest.starts_with('+') && !rest.starts_with("+-")) rest.remove_prefix(1);
  const auto read = [&]<class T>(T number) -> std::optional<scalar> {
    const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (failed != std::errc() || end != rest.data() + rest.size()) return {};
    return number;
  };
  if (const auto whole = read(std::int64_t{})) return *whole;
  if (const auto natural = read(std::uint64_t{})) return *natural;
  if (const auto real = read(double{})) return *real;
  throw error("number: " + quoted(text) + " is no number", where);
}

dynamic_value number_of(const arguments& a) {
  const auto& x = a.any(0);
  if (const auto* const text = std::get_if<std::string>(&x)) return read_number(*text, a.where());
  if (std::holds_alternative<scalar>(x)) return x;
  throw error("number: wants a text, not " + describe(x), a.where());
}

dynamic_value text_of_value(const arguments& a) {
  const auto& x = a.any(0);
  if (std::holds_alternative<std::string>(x)) return x;
  if (const auto* const number = std::get_if<scalar>(&x)) return to_string(*number);
  if (std::holds_alternative<tensor>(x)) return numbers_text(a.finished_array(0), a.where());
  if (!is_array_like(x))
    throw error("text: wants an array or a number, not " + describe(x), a.where());
  return numbers_text(to_array(x, "text", a.where()), a.where());
}

}  // namespace

std::vector<word> text_words() {
  return {{"len", "text", "x: any",
           "How many items a list, positions the first axis of an array, or letters a text has.",
           length_of},
          {"number", "text", "x: any", "The number that a text tells: number(\"2.5\").", number_of},
          {"text", "text", "x: any",
           "The text that shows a number, or an array, which is waited for; texts are joined by +.",
           text_of_value}};
}

}  // namespace troupe::language
