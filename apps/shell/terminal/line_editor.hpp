// SPDX-License-Identifier: MIT
#pragma once

#include <histedit.h>

#include <cstddef>
#include <memory>
#include <string>

#include "troupe/apps/shell/terminal/colours.hpp"

namespace troupe::shell {

/// Line that libedit edits on standard input and output, and its place on the screen.
class line_editor {
 public:
  /// Throws std::runtime_error if libedit cannot be had.
  line_editor(void* owner, palette colours);
  line_editor(const line_editor&) = delete;
  line_editor& operator=(const line_editor&) = delete;

  /// Returns whose line it is, for libedit's callbacks.
  static void* owner_of(EditLine* line) { return of(line).owner_; }

  EditLine* get() const noexcept { return handle_.get(); }
  bool is_emacs() const;

  std::wstring text() const;
  std::wstring left() const;               ///< of the cursor
  void replace(const std::wstring& text);  ///< and puts the cursor behind it
  void insert(const std::wstring& text);   ///< at the cursor
  void erase_left(std::size_t characters);

  /// Sets the prompt of the next line, which is one line itself.
  void set_prompt(const std::string& prompt);
  /// Draws prompt and line on the row of the cursor, and clears what is below.
  void draw_here();
  /// Draws them where they are, in a window that may have changed its size.
  void draw_again();
  /// Goes to the row below the line.
  void go_below();

 private:
  struct give_back {
    void operator()(EditLine* line) const noexcept { el_end(line); }
  };

  static line_editor& of(EditLine* line);
  static wchar_t* prompt_of(EditLine* line) { return of(line).coloured_prompt_.data(); }
  int rows_to_cursor(int width) const;

  void* owner_;
  palette colours_;
  std::string prompt_;
  std::wstring coloured_prompt_;
  int width_ = 80;  ///< of the window when the line was last drawn
  std::unique_ptr<EditLine, give_back> handle_;
};

}  // namespace troupe::shell
