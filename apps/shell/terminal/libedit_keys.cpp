// SPDX-License-Identifier: MIT
#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include "troupe/apps/shell/terminal/columns.hpp"
#include "troupe/apps/shell/terminal/common_prefix.hpp"
#include "troupe/apps/shell/terminal/history_search.hpp"
#include "troupe/apps/shell/terminal/libedit_session.hpp"
#include "troupe/apps/shell/terminal/text_lines.hpp"
#include "troupe/text/display_width.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe::shell {

namespace {

constexpr std::wstring_view end_of_paste = L"\033[201~";
constexpr std::size_t most_candidates = 200;  // that are listed
constexpr wchar_t control(char letter) { return static_cast<wchar_t>(letter & 0x1F); }

bool is_control(wchar_t c) { return (c >= 0 && c < L' ') || (c >= 127 && c < 160); }

/// With newlines as they are here, and without what terminals would obey.
std::wstring cleaned(const std::wstring& pasted) {
  std::wstring text;
  for (std::size_t i = 0; i < pasted.size(); ++i) {
    const wchar_t c = pasted[i];
    if (c == L'\r') {
      if (i + 1 == pasted.size() || pasted[i + 1] != L'\n') text += L'\n';
    } else if (c == L'\n' || c == L'\t' || !is_control(c)) {
      text += c;
    }
  }
  return text;
}

}  // namespace

template <libedit_reader::session::outcome (libedit_reader::session::*function)()>
libedit_reader::session::outcome libedit_reader::session::call(EditLine* line, wint_t) {
  auto& self = *static_cast<session*>(line_editor::owner_of(line));
  try {
    return (self.*function)();
  } catch (...) {  // libedit is written in C
    self.failure_ = std::current_exception();
    return CC_EOF;
  }
}

void libedit_reader::session::name_functions() {
  const auto name = [this](const wchar_t* function, const wchar_t* help, auto* called) {
    el_wset(editor_.get(), EL_ADDFN, function, help, called);
  };
  name(L"troupe-complete", L"Complete the word", call<&session::complete>);
  name(L"troupe-paste", L"Insert what is pasted", call<&session::paste>);
  name(L"troupe-older", L"A line up, or an older entry that begins like this",
       call<&session::older>);
  name(L"troupe-newer", L"A line down, or a newer entry that begins like this",
       call<&session::newer>);
  name(L"troupe-search", L"Search the history", call<&session::search>);
}

void libedit_reader::session::bind(const wchar_t* keys, const wchar_t* function) {
  el_wset(editor_.get(), EL_BIND, keys, function, static_cast<wchar_t*>(nullptr));
}

void libedit_reader::session::bind_keys() {
  constexpr const wchar_t* keys[][2] = {
      {L"\t", L"troupe-complete"},
      {L"\033[200~", L"troupe-paste"},
      {L"\033[A", L"troupe-older"},
      {L"\033OA", L"troupe-older"},
      {L"^P", L"troupe-older"},
      {L"\033[B", L"troupe-newer"},
      {L"\033OB", L"troupe-newer"},
      {L"^N", L"troupe-newer"},
      {L"^R", L"troupe-search"},
      {L"^W", L"ed-delete-prev-word"},
      {L"\033[3~", L"ed-delete-next-char"},
      {L"\033[H", L"ed-move-to-beg"},
      {L"\033OH", L"ed-move-to-beg"},
      {L"\033[1~", L"ed-move-to-beg"},
      {L"\033[F", L"ed-move-to-end"},
      {L"\033OF", L"ed-move-to-end"},
      {L"\033[4~", L"ed-move-to-end"},
      {L"\033[1;5C", L"em-next-word"},
      {L"\033[1;5D", L"ed-prev-word"},
  };
  for (const auto& [key, function] : keys) bind(key, function);
}

libedit_reader::session::outcome libedit_reader::session::complete() {
  const auto left = editor_.left();
  completions found;
  try {
    if (complete_) found = complete_(to_utf8(editor_.text()), left.size());
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

void libedit_reader::session::list(std::vector<std::string> words) {
  const auto more = words.size() - std::min(words.size(), most_candidates);
  words.resize(words.size() - more);
  editor_.go_below();
  std::fputs(in_columns(words, terminal_width(STDIN_FILENO)).c_str(), stdout);
  if (more > 0) std::fprintf(stdout, "and %zu more\n", more);
  editor_.draw_here();
}

libedit_reader::session::outcome libedit_reader::session::paste() {
  std::wstring pasted;
  while (!pasted.ends_with(end_of_paste)) {
    wchar_t key = 0;
    if (el_wgetc(editor_.get(), &key) != 1) return CC_EOF;
    pasted += key;
  }
  pasted.resize(pasted.size() - end_of_paste.size());
  auto text = cleaned(pasted);
  if (editor_.cursor() == editor_.text().size()) text.erase(text.find_last_not_of(L'\n') + 1);
  if (!text.empty()) editor_.insert(text);
  return CC_REFRESH;
}

libedit_reader::session::outcome libedit_reader::session::older() {
  const auto text = editor_.text();
  const auto line = to_utf8(text);
  if (!recall_.is_under_way(line))
    if (const auto above = position_above(text, editor_.cursor())) {
      editor_.move_to(*above);
      return CC_REFRESH;
    }
  return show(recall_.older(line, editor_.left()));
}

libedit_reader::session::outcome libedit_reader::session::newer() {
  const auto text = editor_.text();
  const auto line = to_utf8(text);
  if (!recall_.is_under_way(line))
    if (const auto below = position_below(text, editor_.cursor())) {
      editor_.move_to(*below);
      return CC_REFRESH;
    }
  return show(recall_.newer(line));
}

libedit_reader::session::outcome libedit_reader::session::show(
    const std::optional<std::string>& entry) {
  if (!entry) return CC_ERROR;
  editor_.replace(to_wide(*entry));
  return CC_REFRESH;
}

/// Takes keys until one comes that means nothing here; that one ends the search and is obeyed.
libedit_reader::session::outcome libedit_reader::session::search() {
  const auto prompt = editor_.prompt();
  const auto draft = editor_.text();
  history_search found(history_.entries());
  const auto draw = [&](const std::string& with) {
    editor_.go_to_prompt();
    editor_.set_prompt(with);
    const auto* const entry = found.entry();
    editor_.replace(entry ? to_wide(*entry) : draft);
    if (entry) editor_.move_to(to_wide(entry->substr(0, found.offset())).size());
    editor_.draw_here();
  };
  for (;;) {
    draw((found.failed() ? "not found: " : "search: ") + found.wanted() + " | ");
    wchar_t key = 0;
    if (el_wgetc(editor_.get(), &key) != 1) return CC_EOF;
    if (key == control('R')) found.older();
    else if (key == control('S')) found.newer();
    else if (key == control('H') || key == 127) found.shorten();
    else if (!is_control(key)) found.extend(to_utf8({&key, 1}));
    else {
      if (key == control('G')) found = history_search(history_.entries());
      draw(prompt);
      const wchar_t last[] = {key, L'\0'};
      if (key != control('G')) el_wpush(editor_.get(), last);
      return CC_NORM;
    }
  }
}

}  // namespace troupe::shell
