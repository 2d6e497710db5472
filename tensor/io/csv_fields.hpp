// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "troupe/tensor/io/file_call.hpp"

namespace troupe {

/// Takes text apart into lines, and lines into fields.
class csv_fields {
 public:
  csv_fields(std::string_view text, char delimiter, const file_call& call);

  /// Leaves a line out, whatever is in it.
  void skip_line() noexcept;
  /// Goes to the next line that is not empty; false if there is none.
  bool next_line();
  /// Its fields without the quotes and spaces around them.
  const std::vector<std::string_view>& fields() const noexcept { return fields_; }
  /// Its number, the first being 1.
  std::size_t line() const noexcept { return line_; }

 private:
  std::string_view take_field();
  std::string_view take_quoted_field();
  void skip_blanks() noexcept;
  bool at_end_of_line() const noexcept { return rest_.empty() || rest_[0] == '\n'; }

  std::string_view rest_;
  const char delimiter_;
  const file_call& call_;
  std::size_t line_ = 0, next_ = 1;
  std::vector<std::string_view> fields_;
};

}  // namespace troupe
