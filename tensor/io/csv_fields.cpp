// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/csv_fields.hpp"

#include <algorithm>

namespace troupe {

namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view without_blanks_behind(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

csv_fields::csv_fields(std::string_view text, char delimiter, const file_call& call)
    : rest_(text), delimiter_(delimiter), call_(call) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
}

void csv_fields::skip_line() noexcept {
  const auto end = rest_.find('\n');
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  ++next_;
}

bool csv_fields::next_line() {
  fields_.clear();
  while (true) {
    skip_blanks();
    if (!at_end_of_line()) break;
    if (rest_.empty()) return false;
    rest_.remove_prefix(1);
    ++next_;
  }
  line_ = next_;
  while (true) {
    fields_.push_back(take_field());
    if (at_end_of_line()) break;
    if (delimiter_ != ' ') rest_.remove_prefix(1);  // the delimiter
  }
  if (!rest_.empty()) rest_.remove_prefix(1);
  ++next_;
  return true;
}

void csv_fields::skip_blanks() noexcept {
  while (!rest_.empty() && is_blank(rest_[0]) && rest_[0] != delimiter_) rest_.remove_prefix(1);
  if (delimiter_ == ' ')
    while (!rest_.empty() && is_blank(rest_[0])) rest_.remove_prefix(1);
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

// What is inside the quotes may have delimiters and ends of lines; a quote is written twice there.
std::string_view csv_fields::take_quoted_field() {
  std::size_t end = 1;
  while (true) {
    end = rest_.find('"', end);
    if (end == std::string_view::npos)
      call_.fail("line " + std::to_string(line_) + ": column " +
                 std::to_string(fields_.size() + 1) + " begins with a quote that is not closed");
    if (end + 1 == rest_.size() || rest_[end + 1] != '"') break;
    end += 2;
  }
  const auto out = rest_.substr(1, end - 1);
  next_ += static_cast<std::size_t>(std::ranges::count(out, '\n'));
  rest_.remove_prefix(end + 1);
  skip_blanks();
  if (!at_end_of_line() && delimiter_ != ' ' && rest_[0] != delimiter_)
    call_.fail("line " + std::to_string(line_) + ": column " + std::to_string(fields_.size() + 1) +
               " goes on after its quotes");
  return out;
}

}  // namespace troupe
