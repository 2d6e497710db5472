// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/command_line.hpp"

#include "troupe/language/syntax/lexer.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

bool is_blank(const std::string& text) noexcept {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// Returns the number of unfinished tasks. The engine's count lags behind a little, so a small one
/// is checked.
std::size_t pending_tasks(session& s) {
  constexpr std::uint64_t few = 100;
  const auto counted = s.engine().pending();
  return counted == 0 || counted > few ? counted : s.engine().tasks().size();
}

std::string prompt_of(session& s) {
  const auto pending = pending_tasks(s);
  return std::to_string(s.next_input()) +
         (pending == 0 ? "> " : " [" + std::to_string(pending) + " pending]> ");
}

/// Returns true if braces are open at the end of a text.
bool ends_within_braces(const std::string& text) {
  int depth = 0;
  try {
    for (const auto& t : tokenise(text)) depth += t.is("{") - t.is("}");
  } catch (const syntax_error&) { return false; }
  return depth > 0;
}

/// Reader of an input of several lines, which runs it in the end. Where nobody sees a mistake at
/// once, it takes the rest of the braces in which one was made.
class one_input {
 public:
  one_input(session& s, line_reader& lines, const interrupts& ctrl_c, std::string text, bool seen)
      : session_(s), lines_(lines), ctrl_c_(ctrl_c), text_(std::move(text)), seen_(seen) {}

  /// Returns false for a mistake, and nothing if the input was given up.
  std::optional<bool> run() {
    for (;;) {
      try {
        const bool good = session_.enter(text_);
        lines_.remember(text_);
        if (!good && !seen_) skip_braces();
        return good;
      } catch (const incomplete_input& e) {
        const auto more = next_line();
        if (more.what == input::kind::interrupted || ctrl_c_.count() > 0) return {};
        if (more.what == input::kind::end) {
          session_.refuse(text_, e);
          return false;
        }
        text_ += "\n" + more.text;
      }
    }
  }

 private:
  input next_line() { return lines_.read(std::string(prompt_of(session_).size() - 2, '.') + "  "); }

  void skip_braces() {
    int skipped = 0;
    while (ends_within_braces(text_)) {
      const auto more = next_line();
      if (more.what == input::kind::end && skipped > 0)
        session_.reporting().text("    its { is not closed: the " + count_text(skipped, "line") +
                                  " behind it did not run\n");
      if (more.what != input::kind::line) return;
      ++skipped;
      text_ += "\n" + more.text;
    }
  }

  session& session_;
  line_reader& lines_;
  const interrupts& ctrl_c_;
  std::string text_;
  bool seen_;  ///< a user sees mistakes at once
};

}  // namespace

int interrupted(session& s) {
  constexpr int status_of_interrupted_programs = 128 + 2;
  s.engine().cancel_all();
  return status_of_interrupted_programs;
}

int status_at_end(session& s, bool good) {
  const bool all_good = (s.ended() || s.finish()) && good;
  if (s.stopping()) return interrupted(s);
  return all_good ? 0 : 1;
}

int converse(session& s, line_reader& lines, interrupts& ctrl_c, bool asks) {
  bool all_good = true, asked_to_leave = false, stopped = false;
  while (!s.ended()) {
    ctrl_c.clear();
    const auto line = lines.read(prompt_of(s));
    if (line.what == input::kind::end) {
      const auto pending = pending_tasks(s);
      if (!asks || pending == 0 || asked_to_leave) break;
      asked_to_leave = true;
      s.reporting().text("\n    " + count_text(pending, "task") + (pending == 1 ? " is" : " are") +
                         " pending: Ctrl-D again waits and leaves, :cancel cancels\n");
      continue;
    }
    if (line.what == input::kind::interrupted) {
      if (!asks) return interrupted(s);
      if ((stopped || ctrl_c.count() > 0) && s.engine().pending() > 0) {
        s.engine().cancel_all();
        s.reporting().text("    what had not started is cancelled\n");
      }
      stopped = true;
      continue;
    }
    asked_to_leave = false;
    if (is_blank(line.text) && !s.takes_blank_lines()) continue;
    const auto good = one_input(s, lines, ctrl_c, line.text, asks).run();
    all_good = all_good && good.value_or(true);
    stopped = ctrl_c.count() > 0;
    if (stopped && !asks) return interrupted(s);
    if (ctrl_c.count() > 1 && s.engine().pending() > 0) {
      s.engine().cancel_all();
      s.reporting().text("    what had not started is cancelled\n");
    }
  }
  if (!asks) return status_at_end(s, all_good);
  if (!s.ended()) s.reporting().text("\n");
  s.end();
  s.finish();
  return s.stopping() ? interrupted(s) : 0;
}

}  // namespace troupe::shell
