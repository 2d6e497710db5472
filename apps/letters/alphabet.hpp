// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::letters {

/// Returns the text of a file, or of all files in a directory, in the order of their names; links
/// in it are other names of files, and are passed over. Throws std::runtime_error with the reason
/// if it cannot be read, and if there is none.
std::string read_text(const std::string& path);

/// Letters of a text, numbered in the order of their Unicode codes. A byte that is no UTF-8 is a
/// letter, too.
class alphabet {
 public:
  /// Collects the letters of a text.
  explicit alphabet(std::string_view text);
  /// Restores an alphabet from its codes.
  explicit alphabet(const std::vector<std::int64_t>& codes);

  std::vector<std::int64_t> codes() const;
  std::int64_t size() const noexcept { return static_cast<std::int64_t>(letters_.size()); }
  /// Returns the number of each letter. Throws std::runtime_error for one that is not in the
  /// alphabet.
  std::vector<std::int64_t> numbers_of(std::string_view text) const;
  /// Returns the letter of a number, as UTF-8.
  std::string letter(std::int64_t number) const;

 private:
  std::wstring letters_;  ///< in ascending order
};

}  // namespace troupe::letters
