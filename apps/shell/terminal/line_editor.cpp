// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/line_editor.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "troupe/text/display_width.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe::shell {

namespace {

constexpr wchar_t literal = L'\1';  // around text that takes no columns

/// Returns the rows of a terminal of that width from the first character of a text to the position
/// after the last, with full lines broken. Tabs go to every eighth column, control characters take
/// two.
int rows_down(std::string_view text, int width) noexcept {
  int row = 0, column = 0;
  width = std::max(width, 2);
  while (!text.empty()) {
    const auto c = text.substr(0, std::max<std::size_t>(first_character(text).bytes, 1));
    text.remove_prefix(c.size());
    const bool control = static_cast<unsigned char>(c[0]) < ' ' || c == "\177";
    const int columns = c == "\t" ? 8 - column % 8 : control ? 2 : display_width(c);
    const bool full = column + columns > width;
    column = c == "\n" ? width : full ? columns : column + columns;
    row += full && c != "\n";
    if (column >= width) ++row, column = 0;
  }
  return row;
}

/// Marks text as literal, which libedit prints together with the character behind it.
std::wstring literally(std::string_view sequence) {
  return sequence.empty() ? L"" : literal + to_wide(sequence) + literal;
}

}  // namespace

line_editor& line_editor::of(EditLine* line) {
  void* data = nullptr;
  el_wget(line, EL_CLIENTDATA, &data);
  return *static_cast<line_editor*>(data);
}

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

std::wstring line_editor::left() const {
  const auto* const line = el_wline(get());
  return {line->buffer, line->cursor};
}

void line_editor::replace(const std::wstring& new_text) {
  el_cursor(get(), static_cast<int>(text().size() - left().size()));
  erase_left(text().size());
  insert(new_text);
}

void line_editor::insert(const std::wstring& more) { el_winsertstr(get(), more.c_str()); }

void line_editor::erase_left(std::size_t characters) {
  el_deletestr(get(), static_cast<int>(characters));
}

void line_editor::set_prompt(const std::string& prompt) {
  width_ = terminal_width(STDIN_FILENO);
  prompt_ = prompt;
  auto wide = to_wide(prompt);
  // Would be taken for the beginning of a sequence.
  std::replace(wide.begin(), wide.end(), literal, L' ');
  coloured_prompt_.clear();
  if (wide.empty()) return;
  // Typed text looks like the prompt's last character, mostly a space.
  if (wide.size() > 1) coloured_prompt_ = literally(colours_.begin(style::prompt));
  coloured_prompt_ += wide.substr(0, wide.size() - 1);
  coloured_prompt_ += literally(colours_.begin(style::typed)) + wide.back();
}

void line_editor::draw_here() {
  std::fputs("\r\033[J", stdout);
  width_ = terminal_width(STDIN_FILENO);
  el_resize(get());
  el_wset(get(), EL_REFRESH);
}

int line_editor::rows_to_cursor(int width) const {
  return rows_down(prompt_ + to_utf8(left()), width);
}

void line_editor::draw_again() {
  // When a window changes its width some terminals break lines anew and some do not. Too far down
  // leaves a prompt behind; too far up would take away what stood there before.
  const int up = std::min(rows_to_cursor(width_), rows_to_cursor(terminal_width(STDIN_FILENO)));
  if (up > 0) std::fprintf(stdout, "\033[%dA", up);
  draw_here();
}

void line_editor::go_below() {
  const int down = rows_down(prompt_ + to_utf8(text()), width_) - rows_to_cursor(width_);
  std::fputs(std::string(colours_.end()).append(static_cast<std::size_t>(down) + 1, '\n').c_str(),
             stdout);
}

}  // namespace troupe::shell
