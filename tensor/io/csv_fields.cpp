// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/csv_fields.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <type_traits>

#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view without_blanks_behind(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

template <class T>
number_problem read_all(std::string_view text, T& out) noexcept {
  const auto* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, out);
  if (problem == std::errc::invalid_argument || stop != end) return number_problem::not_a_number;
  return problem == std::errc{} ? number_problem::none : number_problem::out_of_range;
}

/// Returns true for a number below 1. std::from_chars gives the same error for floats that are too
/// large and too small; both are far from 1, so the first digit's place and the exponent tell.
bool is_below_one(std::string_view text) noexcept {
  const auto e = std::min(text.find_first_of("eE"), text.size());
  const auto digits = text.substr(0, e);
  const auto point = std::min(digits.find('.'), digits.size());
  const auto first = digits.find_first_of("123456789");
  auto exponent = text.substr(std::min(e + 1, text.size()));
  const bool negative = exponent.starts_with('-');
  if (negative || exponent.starts_with('+')) exponent.remove_prefix(1);
  constexpr std::int64_t most = std::int64_t{1} << 62;
  std::int64_t power = 0;
  if (!exponent.empty() && read_all(exponent, power) != number_problem::none) power = most;
  power = std::min(power, most);
  return (negative ? -power : power) + static_cast<std::int64_t>(point) -
             static_cast<std::int64_t>(first) <
         0;
}

}  // namespace

void check_delimiter(char delimiter, const file_call& call) {
  if (std::isalnum(static_cast<unsigned char>(delimiter)) || delimiter == '\0' ||
      std::string_view("\"+-.\n\r").find(delimiter) != std::string_view::npos)
    call.fail("the delimiter cannot be " + quoted({&delimiter, 1}));
}

csv_fields::csv_fields(std::string_view text, char delimiter, char comment, const file_call& call)
    : rest_(text), delimiter_(delimiter), comment_(comment), call_(&call) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
}

void csv_fields::skip_line() noexcept {
  const auto end = rest_.find('\n');
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  ++next_;
}

bool csv_fields::next_line() {
  while (true) {
    skip_blanks();
    skip_comment();
    if (!at_end_of_line()) break;
    if (rest_.empty()) return false;
    rest_.remove_prefix(1);
    ++next_;
  }
  line_ = next_;
  taken_ = 0;
  more_ = true;
  return true;
}

std::optional<std::string_view> csv_fields::next_field() {
  if (!more_) return std::nullopt;
  const auto out = take_field();
  ++taken_;
  more_ = !at_end_of_line();
  if (more_) {
    if (delimiter_ != ' ') rest_.remove_prefix(1);  // the delimiter
  } else {
    if (!rest_.empty()) rest_.remove_prefix(1);
    ++next_;
  }
  return out;
}

void csv_fields::skip_blanks() noexcept {
  while (!rest_.empty() && is_blank(rest_[0]) && rest_[0] != delimiter_) rest_.remove_prefix(1);
  if (delimiter_ == ' ') {
    while (!rest_.empty() && is_blank(rest_[0])) rest_.remove_prefix(1);
  }
}

void csv_fields::skip_comment() noexcept {
  if (comment_ == '\0' || rest_.empty() || rest_[0] != comment_) return;
  rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
}

std::string_view csv_fields::take_field() {
  skip_blanks();
  if (!rest_.empty() && rest_[0] == '"') return take_quoted_field();
  std::size_t end = 0;
  while (end < rest_.size() && rest_[end] != '\n' && rest_[end] != delimiter_ &&
         (delimiter_ != ' ' || !is_blank(rest_[end])))
    ++end;
  const auto out = without_blanks_behind(rest_.substr(0, end));
  rest_.remove_prefix(end);
  if (delimiter_ == ' ') skip_blanks();
  return out;
}

// Quotes may hold delimiters and ends of lines; a quote is written twice there.
std::string_view csv_fields::take_quoted_field() {
  const auto fail = [&](std::string_view facts) {
    call_->fail("line " + std::to_string(line_) + ": column " + std::to_string(taken_ + 1) +
                std::string(facts));
  };
  std::size_t end = 1;
  while (true) {
    end = rest_.find('"', end);
    if (end == std::string_view::npos) fail(" begins with a quote that is not closed");
    if (end + 1 == rest_.size() || rest_[end + 1] != '"') break;
    end += 2;
  }
  const auto out = rest_.substr(1, end - 1);
  next_ += static_cast<std::size_t>(std::ranges::count(out, '\n'));
  rest_.remove_prefix(end + 1);
  skip_blanks();
  if (!at_end_of_line() && delimiter_ != ' ' && rest_[0] != delimiter_)
    fail(" goes on after its quotes");
  return out;
}

template <class T>
number_problem read_number(std::string_view text, T& out) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    out = text == "1" || text == "true" || text == "True" || text == "TRUE";
    const bool known = out || text == "0" || text == "false" || text == "False" || text == "FALSE";
    return known ? number_problem::none : number_problem::not_a_number;
  } else {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    const auto problem = read_all(text, out);
    if constexpr (std::is_floating_point_v<T>) {
      const bool negative = text.starts_with('-');
      if (problem == number_problem::out_of_range && is_below_one(text.substr(negative))) {
        out = negative ? -T{} : T{};
        return number_problem::none;
      }
    }
    return problem;
  }
}

template number_problem read_number(std::string_view, bool&) noexcept;
template number_problem read_number(std::string_view, std::int8_t&) noexcept;
template number_problem read_number(std::string_view, std::int16_t&) noexcept;
template number_problem read_number(std::string_view, std::int32_t&) noexcept;
template number_problem read_number(std::string_view, std::int64_t&) noexcept;
template number_problem read_number(std::string_view, std::uint8_t&) noexcept;
template number_problem read_number(std::string_view, std::uint16_t&) noexcept;
template number_problem read_number(std::string_view, std::uint32_t&) noexcept;
template number_problem read_number(std::string_view, std::uint64_t&) noexcept;
template number_problem read_number(std::string_view, float&) noexcept;
template number_problem read_number(std::string_view, double&) noexcept;

}  // namespace troupe
