// SPDX-License-Identifier: MIT
#pragma once

#include <histedit.h>
#include <unistd.h>

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "troupe/apps/shell/terminal/history.hpp"
#include "troupe/apps/shell/terminal/line_editor.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/apps/shell/terminal/signals.hpp"
#include "troupe/apps/shell/terminal/terminal_guard.hpp"

namespace troupe::shell {

/// Editor of lines on a terminal: standard input and output. Keys are those of libedit's Emacs
/// mode, Ctrl-R among them, and what ~/.editrc changes of them.
///
/// A text of several lines that is pasted stands in the line as it is, without newlines at its end,
/// and Enter returns it whole; up and down move within it. Where ~/.editrc chooses vi's keys, each
/// of its lines is an input of its own. Up and down go through the entries of the history that
/// begin with what is left of the cursor.
///
/// Terminal and signals are its own while it reads, and as they were between.
class libedit_reader final : public line_reader {
 public:
  explicit libedit_reader(reader_options options);

  input read(const std::string& prompt) override;
  void remember(const std::string& entry) override { history_.add(entry); }

 private:
  using outcome = unsigned char;  // what libedit wants to hear from a key's function

  template <outcome (libedit_reader::*function)()>
  static outcome call(EditLine* line, wint_t);

  void bind(const wchar_t* keys, const wchar_t* function);
  void bind_keys();

  outcome complete();
  outcome paste();
  outcome older();
  outcome newer();
  outcome press(const wchar_t* keys);
  outcome show(const std::optional<std::string>& entry);
  void list(std::vector<std::string> words);

  bool searches() const;
  std::optional<wchar_t> decoded_key();
  wchar_t next_key();
  void stop(input::kind why);
  void obey(int signal);
  void let_go(int signal);

  reader_options options_;
  line_history history_;
  palette colours_;
  unblocked_input keys_{STDIN_FILENO};
  line_editor editor_;
  recall recall_;
  signal_watch* signals_ = nullptr;     // while it reads
  std::string bytes_;                   // of a character that is not complete
  std::optional<input::kind> stopped_;  // why there will be no more keys
  std::exception_ptr failure_;
};

}  // namespace troupe::shell
