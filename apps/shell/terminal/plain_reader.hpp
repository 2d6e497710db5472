// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "troupe/apps/shell/terminal/colours.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/apps/shell/terminal/signals.hpp"
#include "troupe/apps/shell/terminal/terminal_guard.hpp"

namespace troupe::shell {

/// Takes lines as they come: from scripts, pipes, and terminals without line editing. A carriage
/// return before a newline goes with it; the last line needs no newline. It may read ahead of the
/// lines it has returned.
class plain_reader final : public line_reader {
 public:
  /// Prompts only if the descriptor is a terminal: on standard output, or on standard error if that
  /// is what goes to a terminal. Does not close the descriptor.
  explicit plain_reader(int file_descriptor, palette colours = {});

  /// Ctrl-C while it waits gives `interrupted`. What cannot be read has ended.
  input read(const std::string& prompt) override;
  void remember(const std::string&) override {}

 private:
  input::kind read_more(std::optional<signal_watch>& watch);
  input line_up_to(std::size_t newline);

  unblocked_input file_;
  bool prompts_;
  palette colours_;
  std::string bytes_;
  std::size_t begin_ = 0;  ///< of what has not been returned yet
  bool ended_ = false;
};

}  // namespace troupe::shell
