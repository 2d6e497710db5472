// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "troupe/apps/shell/terminal/colours.hpp"
#include "troupe/apps/shell/terminal/line_history.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/apps/shell/terminal/signal_watch.hpp"

namespace troupe::shell {

/// Takes lines as they come: from scripts, pipes, and terminals without line editing. A carriage
/// return before a newline goes with it; the last line needs no newline. It may read ahead of the
/// lines it has returned.
class plain_reader final : public line_reader {
 public:
  /// Prompts only if the descriptor is a terminal: on standard output, or on standard error if that
  /// is what goes to a terminal. Does not close the descriptor. `history` may be one without a
  /// file.
  explicit plain_reader(int file_descriptor, line_history history = {}, palette colours = {});
  /// Never prompts; `in` must outlive it.
  explicit plain_reader(std::istream& in);

  /// Ctrl-C while it waits for a descriptor gives `interrupted`. What cannot be read has ended.
  input read(const std::string& prompt) override;
  void remember(const std::string& entry) override { history_.add(entry); }
  std::vector<std::string> history() const override { return history_.entries(); }

 private:
  /// Puts more bytes at the end, or says why it could not.
  using source = std::function<input::kind(std::string& bytes, std::optional<signal_watch>& watch)>;

  input line_up_to(std::size_t newline);

  source more_;
  bool prompts_ = false;
  line_history history_;
  palette colours_;
  std::string bytes_;
  std::size_t begin_ = 0;  ///< of what has not been returned yet
  bool ended_ = false;
};

}  // namespace troupe::shell
