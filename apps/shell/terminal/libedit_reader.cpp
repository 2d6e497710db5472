// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/libedit_reader.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string_view>
#include <utility>

#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/text/display_width.hpp"
#include "troupe/text/quoted.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe::shell {

namespace {

constexpr wchar_t end_of_file = 4, escape = L'\033';
// Keys that no keyboard has.
constexpr wchar_t leave[] = L"\234", line_up[] = L"\235", line_down[] = L"\236";
constexpr std::wstring_view end_of_paste = L"\033[201~";
constexpr auto pastes_are_marked = "\033[?2004h", pastes_are_not_marked = "\033[?2004l";
constexpr std::size_t most_candidates = 200;  // listed at most

/// Returns a text with plain newlines, and without control characters.
std::wstring cleaned(const std::wstring& pasted) {
  std::wstring text;
  for (std::size_t i = 0; i < pasted.size(); ++i) {
    const wchar_t c = pasted[i];
    const bool is_control = (c >= 0 && c < L' ') || (c >= 127 && c < 160);
    if (c == L'\r') {
      if (i + 1 == pasted.size() || pasted[i + 1] != L'\n') text += L'\n';
    } else if (c == L'\n' || c == L'\t' || !is_control) {
      text += c;
    }
  }
  return text;
}

void warn(const std::string& line) { std::cerr << "troupe: " << line << std::endl; }

}  // namespace

libedit_reader::libedit_reader(reader_options options)
    : options_(std::move(options)),
      history_({.file = options_.history_file, .warn = warn}),
      colours_{options_.colour},
      editor_(this, colours_),
      recall_(history_.get()) {
  auto* const line = editor_.get();
  el_wset(line, EL_SIGNAL, 0);
  el_wset(
      line, EL_GETCFN, +[](EditLine* asking, wchar_t* key) {
        *key = static_cast<libedit_reader*>(line_editor::owner_of(asking))->next_key();
        return 1;
      });
  // Else carriage returns and newlines change places.
  el_wset(line, EL_SETTY, L"-d", L"-inlcr", L"-icrnl", static_cast<wchar_t*>(nullptr));
  el_set(line, EL_HIST, ::history, history_.get());
  el_wset(line, EL_EDITOR, L"emacs");
  bind_keys();
  el_source(line, nullptr);
  if (!editor_.is_emacs()) bind(L"\t", L"troupe-complete");
  bind(leave, L"ed-end-of-file");
}

void libedit_reader::bind(const wchar_t* keys, const wchar_t* function) {
  el_wset(editor_.get(), EL_BIND, keys, function, static_cast<wchar_t*>(nullptr));
}

void libedit_reader::bind_keys() {
  const auto name = [this](const wchar_t* function, const wchar_t* help, auto* called) {
    el_wset(editor_.get(), EL_ADDFN, function, help, called);
  };
  name(L"troupe-complete", L"Complete the word", call<&libedit_reader::complete>);
  name(L"troupe-paste", L"Insert what is pasted", call<&libedit_reader::paste>);
  name(L"troupe-older", L"A line up, or an older entry that begins like this",
       call<&libedit_reader::older>);
  name(L"troupe-newer", L"A line down, or a newer entry that begins like this",
       call<&libedit_reader::newer>);
  constexpr const wchar_t* keys[][2] = {
      {L"\t", L"troupe-complete"},     {L"\033[200~", L"troupe-paste"},
      {L"\033[A", L"troupe-older"},    {L"\033OA", L"troupe-older"},
      {L"^P", L"troupe-older"},        {L"\033[B", L"troupe-newer"},
      {L"\033OB", L"troupe-newer"},    {L"^N", L"troupe-newer"},
      {line_up, L"ed-prev-line"},      {line_down, L"ed-next-line"},
      {L"^W", L"ed-delete-prev-word"}, {L"\033[1;5C", L"em-next-word"},
      {L"\033[1;5D", L"ed-prev-word"},
  };
  for (const auto& [key, function] : keys) bind(key, function);
}

template <libedit_reader::outcome (libedit_reader::*function)()>
libedit_reader::outcome libedit_reader::call(EditLine* line, wint_t) {
  auto& self = *static_cast<libedit_reader*>(line_editor::owner_of(line));
  try {
    return (self.*function)();
  } catch (...) {  // libedit is written in C
    self.failure_ = std::current_exception();
    return CC_EOF;
  }
}

libedit_reader::outcome libedit_reader::complete() {
  const auto left = to_utf8(editor_.left());
  completions found;
  try {
    if (options_.complete) found = options_.complete(to_utf8(editor_.text()), left.size());
  } catch (...) { return CC_ERROR; }
  if (found.words.empty() || found.begin > left.size()) return CC_ERROR;
  const auto typed = std::string_view(left).substr(found.begin);
  const auto common = common_prefix(found.words);
  const bool longer = common.size() > typed.size() && common.starts_with(typed);
  if (!longer && found.words.size() > 1) {
    list(std::move(found.words));
    return CC_NORM;
  }
  editor_.erase_left(to_wide(typed).size());
  editor_.insert(to_wide(common));
  return CC_REFRESH;
}

void libedit_reader::list(std::vector<std::string> words) {
  const auto more = words.size() - std::min(words.size(), most_candidates);
  words.resize(words.size() - more);
  for (auto& word : words) word = on_one_line(word);  // names of files may have anything
  editor_.go_below();
  std::fputs(in_columns(words, terminal_width(STDIN_FILENO)).c_str(), stdout);
  if (more > 0) std::fprintf(stdout, "and %zu more\n", more);
  editor_.draw_here();
}

libedit_reader::outcome libedit_reader::paste() {
  std::wstring pasted;
  while (!pasted.ends_with(end_of_paste)) {
    wchar_t key = 0;
    if (el_wgetc(editor_.get(), &key) != 1 || stopped_) return CC_EOF;
    pasted += key;
  }
  pasted.resize(pasted.size() - end_of_paste.size());
  auto text = cleaned(pasted);
  if (editor_.left() == editor_.text()) text.erase(text.find_last_not_of(L'\n') + 1);
  if (!text.empty()) editor_.insert(text);
  return CC_REFRESH;
}

libedit_reader::outcome libedit_reader::older() {
  const auto left = editor_.left();
  const auto line = to_utf8(editor_.text());
  if (!recall_.is_under_way(line) && left.find(L'\n') != left.npos) return press(line_up);
  return show(recall_.older(line, to_utf8(left)));
}

libedit_reader::outcome libedit_reader::newer() {
  const auto text = editor_.text();
  const auto line = to_utf8(text);
  if (!recall_.is_under_way(line) && text.find(L'\n', editor_.left().size()) != text.npos)
    return press(line_down);
  return show(recall_.newer(line));
}

libedit_reader::outcome libedit_reader::press(const wchar_t* keys) {
  el_wpush(editor_.get(), keys);
  return CC_NORM;
}

libedit_reader::outcome libedit_reader::show(const std::optional<std::string>& entry) {
  if (!entry) return CC_ERROR;
  editor_.replace(to_wide(*entry));
  return CC_REFRESH;
}

input libedit_reader::read(const std::string& prompt) {
  stopped_.reset();
  failure_ = nullptr;
  recall_.forget();
  signal_watch signals({SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGQUIT});
  const terminal_guard guard(STDIN_FILENO);
  signals_ = &signals;
  std::cout.flush();
  editor_.set_prompt(prompt);
  const bool marked = editor_.is_emacs();
  if (marked) std::fputs(pastes_are_marked, stdout);

  // Otherwise libedit does so only after the prompt, and early input is not treated as keys.
  el_wset(editor_.get(), EL_PREP_TERM, 1);
  int length = 0;
  const auto* const typed = el_wgets(editor_.get(), &length);
  const auto line = typed ? std::wstring(typed, static_cast<std::size_t>(length)) : std::wstring();
  signals_ = nullptr;

  std::fputs(std::string(colours_.end()).c_str(), stdout);
  if (marked) std::fputs(pastes_are_not_marked, stdout);
  std::fflush(stdout);
  if (failure_) std::rethrow_exception(failure_);
  if (!typed || stopped_) return {stopped_.value_or(input::kind::end), {}};
  return {input::kind::line, to_utf8(line.substr(0, line.size() - 1))};
}

/// Clears the line below the entry, where libedit shows the text it searches for.
bool libedit_reader::searches() const {
  const auto text = editor_.text();
  const auto last = std::wstring_view(text).substr(text.rfind(L'\n') + 1);
  return last.starts_with(L"bck") || last.starts_with(L"fwd");
}

/// Removes a character from the received bytes, if it is complete and valid.
std::optional<wchar_t> libedit_reader::decoded_key() {
  if (bytes_.empty()) return {};
  const auto next = first_character(bytes_);
  bytes_.erase(0, next.bytes);
  if (next.bytes == 0) return {};
  // So Ctrl-D arrives that was typed before the terminal left line editing to us.
  if (next.code == 0) return editor_.text().empty() ? std::optional(end_of_file) : std::nullopt;
  // An Escape ends a search and is gone; the rest of its key would be text.
  pollfd rest{keys_.get(), POLLIN, 0};
  if (next.code == escape && searches() && poll(&rest, 1, 0) == 1) bytes_ = "\033";
  return static_cast<wchar_t>(next.code);
}

wchar_t libedit_reader::next_key() {
  while (!stopped_) {
    if (const auto key = decoded_key()) return *key;
    if (!signals_->wait_for(keys_.get())) {
      obey(signals_->take());
      continue;
    }
    char byte = 0;  // one at a time: others may read the input after the line
    const auto n = ::read(keys_.get(), &byte, 1);
    if (n > 0) bytes_ += byte;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN)) stop(input::kind::end);
  }
  return leave[0];
}

void libedit_reader::stop(input::kind why) {
  stopped_ = why;
  bytes_.clear();
}

void libedit_reader::obey(int signal) {
  switch (signal) {
    case 0: return;
    case SIGINT: std::fputs("^C", stdout); return stop(input::kind::interrupted);
    case SIGWINCH: return editor_.draw_again();
    default: return let_go(signal);
  }
}

/// Gives the terminal back while the program is stopped, or ended.
void libedit_reader::let_go(int signal) {
  auto* const line = editor_.get();
  if (signal != SIGCONT) editor_.go_below();
  if (editor_.is_emacs()) std::fputs(pastes_are_not_marked, stdout);
  std::fflush(stdout);
  el_wset(line, EL_PREP_TERM, 0);
  if (signal != SIGCONT) signals_->pass_on(signal);
  // Here the program goes on, mostly because of a SIGCONT that has just come.
  const int next = signals_->take();
  el_wset(line, EL_PREP_TERM, 1);
  if (editor_.is_emacs()) std::fputs(pastes_are_marked, stdout);
  editor_.draw_here();
  if (next != SIGCONT) obey(next);
}

}  // namespace troupe::shell
