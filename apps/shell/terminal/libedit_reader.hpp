// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/terminal/colours.hpp"
#include "troupe/apps/shell/terminal/line_history.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"

namespace troupe::shell {

/// Edits lines on a terminal: standard input and output. Keys are those of Emacs, and what
/// ~/.editrc changes of them.
///
/// A text of several lines that is pasted stands in the line as it is, without newlines at its end,
/// and Enter returns it whole; up and down move within it. Where ~/.editrc chooses vi's keys, each
/// of its lines is an input of its own. Up and down go through the entries of the history that
/// begin with what is left of the cursor, Ctrl-R searches for a part of them.
///
/// Terminal and signals are its own while it reads, and as they were between.
class libedit_reader final : public line_reader {
 public:
  using completer = std::function<completions(std::string_view line, std::size_t cursor)>;

  libedit_reader(completer complete, line_history history, palette colours);
  ~libedit_reader() override;

  input read(const std::string& prompt) override;
  void remember(const std::string& entry) override;
  std::vector<std::string> history() const override;

 private:
  class session;
  std::unique_ptr<session> session_;
};

}  // namespace troupe::shell
