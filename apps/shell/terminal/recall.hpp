// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::shell {

/// Goes through a history with the arrow keys: from a line half typed to the entries that begin
/// like it, and back.
class recall {
 public:
  explicit recall(const std::vector<std::string>& entries) : entries_(entries) {}

  /// What stands in the line instead of `line`, of which `left` is left of the cursor; nothing if
  /// there is no such entry. As long as the line stays what this returned, the search goes on.
  std::optional<std::string> older(const std::string& line, std::string_view left);
  std::optional<std::string> newer(const std::string& line);

  /// Whether the line is what this returned last.
  bool is_under_way(const std::string& line) const { return shown_ && *shown_ == line; }

  void forget() { shown_.reset(); }

 private:
  bool suits(const std::string& entry) const;

  const std::vector<std::string>& entries_;
  std::optional<std::string> shown_;
  std::string draft_;  ///< the line when the search began
  std::string prefix_;
  std::size_t at_ = 0;  ///< of the entry shown; their number if it is the draft
};

}  // namespace troupe::shell
