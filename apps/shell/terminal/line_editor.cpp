// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/line_editor.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string_view>

#include "troupe/text/display_width.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe::shell {

namespace {

constexpr wchar_t literal = L'\1';  // stands around what takes no columns

/// Rows of a terminal of that width between the first character of a text and what comes after the
/// last, with lines broken where they are full. Tabs go to every eighth column, control characters
/// take two.
int rows_down(std::string_view text, int width) noexcept {
  int row = 0, column = 0;
  width = std::max(width, 2);
  const auto take = [&](int columns) {
    if (column + columns > width) ++row, column = 0;
    column += columns;
    if (column >= width) ++row, column = 0;
  };
  while (!text.empty()) {
    const auto c = text.substr(0, std::max<std::size_t>(first_character(text).bytes, 1));
    if (c == "\n") ++row, column = 0;
    else if (c == "\t") take(std::min(8 - column % 8, width - column));
    else take(static_cast<unsigned char>(c[0]) < ' ' || c == "\177" ? 2 : display_width(c));
    text.remove_prefix(c.size());
  }
  return row;
}

/// libedit prints what is literal together with the character behind it.
std::wstring literally(std::string_view sequence) {
  return sequence.empty() ? L"" : literal + to_wide(sequence) + literal;
}

}  // namespace

line_editor& line_editor::of(EditLine* line) {
  void* data = nullptr;
  el_wget(line, EL_CLIENTDATA, &data);
  return *static_cast<line_editor*>(data);
}

void* line_editor::owner_of(EditLine* line) { return of(line).owner_; }

wchar_t* line_editor::prompt_of(EditLine* line) { return of(line).coloured_prompt_.data(); }

line_editor::line_editor(void* owner, palette colours)
    : owner_(owner), colours_(colours), handle_(el_init("troupe", stdin, stdout, stderr)) {
  if (!handle_) throw std::runtime_error("libedit: cannot edit lines here");
  el_wset(get(), EL_CLIENTDATA, this);
  el_wset(get(), EL_PROMPT_ESC, prompt_of, static_cast<int>(literal));
}

bool line_editor::is_emacs() const {
  const wchar_t* mode = nullptr;
  return el_wget(get(), EL_EDITOR, &mode) != 0 || !mode || std::wstring_view(mode) == L"emacs";
}

std::wstring line_editor::text() const {
  const auto* const line = el_wline(get());
  return {line->buffer, line->lastchar};
}

std::size_t line_editor::cursor() const {
  const auto* const line = el_wline(get());
  return static_cast<std::size_t>(line->cursor - line->buffer);
}

std::string line_editor::left() const { return to_utf8(text().substr(0, cursor())); }

void line_editor::move_to(std::size_t position) {
  el_cursor(get(), static_cast<int>(position) - static_cast<int>(cursor()));
}

void line_editor::replace(const std::wstring& new_text) {
  move_to(text().size());
  erase_left(cursor());
  insert(new_text);
}

void line_editor::insert(const std::wstring& more) { el_winsertstr(get(), more.c_str()); }

void line_editor::erase_left(std::size_t characters) {
  el_deletestr(get(), static_cast<int>(characters));
}

void line_editor::start(const std::string& prompt) {
  std::cout.flush();
  const auto last = prompt.rfind('\n') + 1;  // 0 if there is but one line
  std::fputs(colours_.paint(style::prompt, prompt.substr(0, last)).c_str(), stdout);
  set_prompt(prompt.substr(last));
  width_ = terminal_width(STDIN_FILENO);
}

void line_editor::set_prompt(const std::string& prompt) {
  prompt_ = prompt;
  auto wide = to_wide(prompt);
  // Would be taken for the beginning of a sequence.
  std::replace(wide.begin(), wide.end(), literal, L' ');
  coloured_prompt_.clear();
  if (wide.empty()) return;
  // What is typed looks like the prompt's last character, mostly a space.
  if (wide.size() > 1) coloured_prompt_ = literally(colours_.begin(style::prompt));
  coloured_prompt_ += wide.substr(0, wide.size() - 1);
  coloured_prompt_ += literally(colours_.begin(style::typed)) + wide.back();
}

void line_editor::go_to_prompt() {
  // When a window changes its width some terminals break lines anew and some do not. Too far down
  // leaves a prompt behind; too far up would take away what stood there before.
  const auto before = prompt_ + left();
  const int width = terminal_width(STDIN_FILENO);
  const int up = std::min(rows_down(before, width_), rows_down(before, width));
  std::fputs("\r", stdout);
  if (up > 0) std::fprintf(stdout, "\033[%dA", up);
}

void line_editor::draw_here() {
  std::fputs("\r\033[J", stdout);
  width_ = terminal_width(STDIN_FILENO);
  el_resize(get());
  el_wset(get(), EL_REFRESH);
}

void line_editor::go_to_end() {
  const auto end = text().size();
  if (cursor() == end) return;
  go_to_prompt();
  move_to(end);
  draw_here();
}

void line_editor::go_below() {
  const int down =
      rows_down(prompt_ + to_utf8(text()), width_) - rows_down(prompt_ + left(), width_);
  std::fputs(std::string(colours_.end()).append(static_cast<std::size_t>(down) + 1, '\n').c_str(),
             stdout);
}

}  // namespace troupe::shell
