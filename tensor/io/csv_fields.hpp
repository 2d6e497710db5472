// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "troupe/tensor/io/file_call.hpp"

namespace troupe {

/// Takes text apart into lines, and lines into fields, one at a time: a line may have as many
/// fields as the file has bytes. A copy goes on by itself from where the original is.
class csv_fields {
 public:
  csv_fields(std::string_view text, char delimiter, const file_call& call);

  /// Skips a line, whatever is in it. Called before the first `next_line`.
  void skip_line() noexcept;
  /// Goes to the next line that is not empty. Returns false if there is none. The fields of the
  /// line before have all been taken.
  bool next_line();
  /// Returns the next field of the line without the quotes and spaces around it, or nothing at its
  /// end.
  std::optional<std::string_view> next_field();

  /// Number of the line, the first being 1.
  std::size_t line() const noexcept { return line_; }
  /// Fields of the line taken so far.
  std::size_t taken() const noexcept { return taken_; }

 private:
  std::string_view take_field();
  std::string_view take_quoted_field();
  void skip_blanks() noexcept;
  bool at_end_of_line() const noexcept { return rest_.empty() || rest_[0] == '\n'; }

  std::string_view rest_;
  char delimiter_;
  const file_call* call_;
  std::size_t line_ = 0, next_ = 1;
  std::size_t taken_ = 0;
  bool more_ = false;  // fields in this line
};

/// Reason why a text is no number of a type.
enum class number_problem { none, not_a_number, out_of_range };

/// Reads a number that is all of a text: for floats also `nan`, `inf`, `1e-5`, for bool 0, 1, true
/// and false. A number that is too small for a float becomes 0.
template <class T>
number_problem read_number(std::string_view text, T& out) noexcept;

}  // namespace troupe
