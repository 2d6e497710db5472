// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::shell {

/// A file of history entries, a line each; newlines within are written as `\n`. Several programs
/// may read and write it at once. It is made, with its folder, when the first entry comes, for its
/// owner alone. What fails throws std::system_error.
class history_file {
 public:
  history_file(const std::string& path, std::size_t most);

  /// The newest entries, `most` of them; none if there is no file.
  std::vector<std::string> load();
  void append(const std::string& entry);
  /// Leaves the newest entries in the file, if it has more than `most` as far as is known.
  void shorten();

 private:
  std::string path_;
  std::size_t most_;
  std::size_t lines_ = 0;  ///< in the file, not counting what others have added since it was read
};

}  // namespace troupe::shell
