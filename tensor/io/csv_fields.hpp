// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "troupe/tasks/file_call.hpp"

namespace troupe {

/// Throws for a delimiter that could be a part of a number or of a line's end.
void check_delimiter(char delimiter, const file_call& call);

/// Reader of lines and their fields, one at a time: a line may have as many fields as the file has
/// bytes. A copy reads on by itself from the same place.
class csv_fields {
 public:
  /// Lines that begin with `comment` count as empty, unless it is 0.
  csv_fields(std::string_view text, char delimiter, char comment, const file_call& call);

  /// Skips a line, whatever is in it. Only before the first `next_line`.
  void skip_line() noexcept;
  /// Goes to the next line that is not empty, or returns false if there is none. All fields of the
  /// line before have to be taken.
  bool next_line();
  /// Returns the next field without the quotes and spaces around it; nothing at the line's end.
  std::optional<std::string_view> next_field();

  /// Returns the number of the line, the first being 1.
  std::size_t line() const noexcept { return line_; }
  /// Returns the number of fields taken from the line.
  std::size_t taken() const noexcept { return taken_; }

 private:
  std::string_view take_field();
  std::string_view take_quoted_field();
  void skip_blanks() noexcept;
  void skip_comment() noexcept;
  bool at_end_of_line() const noexcept { return rest_.empty() || rest_[0] == '\n'; }

  std::string_view rest_;
  char delimiter_, comment_;
  const file_call* call_;
  std::size_t line_ = 0, next_ = 1;
  std::size_t taken_ = 0;
  bool more_ = false;  // fields are left in this line
};

/// Reason why a text is no number of a type.
enum class number_problem { none, not_a_number, out_of_range };

/// Reads a number that is the whole text: for floats also `nan`, `inf`, `1e-5`, for bool 0, 1, true
/// and false. A number that is too small for a float becomes 0.
template <class T>
number_problem read_number(std::string_view text, T& out) noexcept;

}  // namespace troupe
