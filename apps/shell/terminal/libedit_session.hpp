// SPDX-License-Identifier: MIT
#pragma once

#include <histedit.h>
#include <unistd.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "troupe/apps/shell/terminal/libedit_reader.hpp"
#include "troupe/apps/shell/terminal/line_editor.hpp"
#include "troupe/apps/shell/terminal/recall.hpp"
#include "troupe/apps/shell/terminal/signal_watch.hpp"
#include "troupe/apps/shell/terminal/unblocked_input.hpp"

namespace troupe::shell {

/// What libedit's callbacks need, and they themselves: a function for each key.
class libedit_reader::session {
  struct end_history {
    void operator()(HistoryW* history) const noexcept { history_wend(history); }
  };

 public:
  session(completer complete, line_history history, palette colours);

  input read(const std::string& prompt);
  void remember(const std::string& entry);
  const std::vector<std::string>& entries() const { return history_.entries(); }

 private:
  using outcome = unsigned char;  // what libedit wants to hear from a key's function

  template <outcome (session::*function)()>
  static outcome call(EditLine* line, wint_t);
  static int next_key(EditLine* line, wchar_t* key);

  void bind(const wchar_t* keys, const wchar_t* function);
  void name_functions();
  void bind_keys();

  outcome complete();
  outcome paste();
  outcome older();
  outcome newer();
  outcome search();

  void list(std::vector<std::string> words);
  outcome show(const std::optional<std::string>& entry);

  bool wait_for_key(wchar_t& key);
  void obey(int signal);
  void let_go(int signal);
  void stop(input::kind why);

  completer complete_;
  line_history history_;
  palette colours_;
  unblocked_input keys_{STDIN_FILENO};
  line_editor editor_;
  std::unique_ptr<HistoryW, end_history> libedits_history_;  // for vi's keys
  recall recall_;
  signal_watch* signals_ = nullptr;     // while it reads
  std::string bytes_;                   // of a character that is not complete
  std::optional<input::kind> stopped_;  // why there will be no more keys
  std::exception_ptr failure_;
};

}  // namespace troupe::shell
