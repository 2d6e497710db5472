// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "troupe/apps/shell/terminal/history_file.hpp"

namespace troupe::shell {

/// What was typed, the oldest first, also in earlier sessions if there is a file. Each entry is
/// written to the file at once, behind what other shells have written meanwhile.
class line_history {
 public:
  struct options {
    std::string file = {};     ///< empty: none
    std::size_t most = 5'000;  ///< entries that are kept; the newest
    /// Is told, at most once, that the file cannot be read or written. Nothing else comes of that.
    std::function<void(const std::string&)> warn = {};
  };

  line_history() = default;  ///< without a file
  explicit line_history(options o);
  ~line_history();
  line_history(line_history&&) = default;
  line_history& operator=(line_history&&) = delete;

  /// False if it was not added: it is blank, or the same as the one before.
  bool add(const std::string& entry);
  const std::vector<std::string>& entries() const noexcept { return entries_; }

 private:
  template <class Work>
  void with_file(Work work) noexcept;

  options options_;
  std::unique_ptr<history_file> file_;  ///< none once it has failed
  std::vector<std::string> entries_;
};

}  // namespace troupe::shell
