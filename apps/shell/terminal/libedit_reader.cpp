// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/libedit_reader.hpp"

#include <histedit.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include "troupe/apps/shell/terminal/libedit_session.hpp"
#include "troupe/apps/shell/terminal/terminal_guard.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe::shell {

namespace {

constexpr wchar_t end_of_file = 4;  // Ctrl-D
constexpr auto pastes_are_marked = "\033[?2004h", pastes_are_not_marked = "\033[?2004l";
}  // namespace

libedit_reader::session::session(completer complete, line_history history, palette colours)
    : complete_(std::move(complete)),
      history_(std::move(history)),
      colours_(colours),
      editor_(this, colours),
      libedits_history_(history_winit()),
      recall_(history_.entries()) {
  auto* const line = editor_.get();
  el_wset(line, EL_SIGNAL, 0);
  el_wset(line, EL_GETCFN, next_key);
  // Else carriage returns and newlines change places.
  el_wset(line, EL_SETTY, L"-d", L"-inlcr", L"-icrnl", static_cast<wchar_t*>(nullptr));
  HistEventW event{};
  history_w(libedits_history_.get(), &event, H_SETSIZE, 5'000);
  el_wset(line, EL_HIST, history_w, libedits_history_.get());
  for (const auto& entry : history_.entries())
    history_w(libedits_history_.get(), &event, H_ENTER, to_wide(entry).c_str());

  el_wset(line, EL_EDITOR, L"emacs");
  name_functions();
  bind_keys();
  el_source(line, nullptr);
  if (!editor_.is_emacs()) bind(L"\t", L"troupe-complete");
}

input libedit_reader::session::read(const std::string& prompt) {
  stopped_.reset();
  failure_ = nullptr;
  recall_.forget();
  signal_watch signals({SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGQUIT});
  const terminal_guard guard(STDIN_FILENO);
  signals_ = &signals;
  editor_.start(prompt);
  const bool marked = editor_.is_emacs();
  if (marked) std::fputs(pastes_are_marked, stdout);

  // Else libedit does so only after the prompt, and what is typed at once is not treated as keys.
  el_wset(editor_.get(), EL_PREP_TERM, 1);
  int length = 0;
  const auto* const typed = el_wgets(editor_.get(), &length);
  const auto line = typed ? std::wstring(typed, static_cast<std::size_t>(length)) : std::wstring();
  signals_ = nullptr;

  if (stopped_ == input::kind::interrupted) std::fputs("^C", stdout);
  if (!typed) std::fputs("\n", stdout);
  std::fputs(std::string(colours_.end()).c_str(), stdout);
  if (marked) std::fputs(pastes_are_not_marked, stdout);
  std::fflush(stdout);
  if (failure_) std::rethrow_exception(failure_);
  if (!typed || stopped_) return {stopped_.value_or(input::kind::end), {}};
  return {input::kind::line, to_utf8(line.substr(0, line.size() - 1))};
}

void libedit_reader::session::remember(const std::string& entry) {
  if (!history_.add(entry)) return;
  HistEventW event{};
  history_w(libedits_history_.get(), &event, H_ENTER, to_wide(entry).c_str());
}

int libedit_reader::session::next_key(EditLine* line, wchar_t* key) {
  auto& self = *static_cast<session*>(line_editor::owner_of(line));
  try {
    return self.wait_for_key(*key) ? 1 : -1;
  } catch (...) {
    self.failure_ = std::current_exception();
    return -1;
  }
}

bool libedit_reader::session::wait_for_key(wchar_t& key) {
  while (!stopped_) {
    if (!bytes_.empty())
      if (const auto next = first_character(bytes_); next.bytes > 0) {
        bytes_.erase(0, next.bytes);
        // So Ctrl-D arrives that was typed before the terminal left line editing to us.
        if (next.code == L'\0' && !editor_.text().empty()) continue;
        key = next.code == L'\0' ? end_of_file : next.code;
        return true;
      }
    if (!signals_->wait_for(keys_.get())) {
      obey(signals_->take());
      continue;
    }
    char byte = 0;  // one at a time, as others may read what comes after the line
    const auto n = ::read(keys_.get(), &byte, 1);
    if (n > 0) bytes_ += byte;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN)) stop(input::kind::end);
  }
  return false;
}

void libedit_reader::session::stop(input::kind why) {
  stopped_ = why;
  bytes_.clear();
}

void libedit_reader::session::obey(int signal) {
  switch (signal) {
    case 0: return;
    case SIGINT: editor_.go_to_end(); return stop(input::kind::interrupted);
    case SIGWINCH: editor_.go_to_prompt(); return editor_.draw_here();
    default: return let_go(signal);
  }
}

/// Gives the terminal back while the program is stopped, or ended.
void libedit_reader::session::let_go(int signal) {
  auto* const line = editor_.get();
  if (signal != SIGCONT) editor_.go_below();
  if (editor_.is_emacs()) std::fputs(pastes_are_not_marked, stdout);
  std::fflush(stdout);
  el_wset(line, EL_PREP_TERM, 0);
  if (signal != SIGCONT) signals_->pass_on(signal);
  // Here the program goes on.
  el_wset(line, EL_PREP_TERM, 1);
  if (editor_.is_emacs()) std::fputs(pastes_are_marked, stdout);
  editor_.draw_here();
}

libedit_reader::libedit_reader(completer complete, line_history history, palette colours)
    : session_(std::make_unique<session>(std::move(complete), std::move(history), colours)) {}

libedit_reader::~libedit_reader() = default;

input libedit_reader::read(const std::string& prompt) { return session_->read(prompt); }

void libedit_reader::remember(const std::string& entry) { session_->remember(entry); }

std::vector<std::string> libedit_reader::history() const { return session_->entries(); }

}  // namespace troupe::shell
