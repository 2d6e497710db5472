// SPDX-License-Identifier: MIT
#pragma once

#include <histedit.h>

#include <cstddef>
#include <memory>
#include <string>

#include "troupe/apps/shell/terminal/colours.hpp"

namespace troupe::shell {

/// The line that libedit edits on standard input and output, and its place on the screen.
class line_editor {
 public:
  /// Throws std::runtime_error if libedit cannot be had.
  line_editor(void* owner, palette colours);
  line_editor(const line_editor&) = delete;
  line_editor& operator=(const line_editor&) = delete;

  /// For libedit's callbacks: whose line it is.
  static void* owner_of(EditLine* line);

  EditLine* get() const noexcept { return handle_.get(); }
  bool is_emacs() const;

  std::wstring text() const;
  std::size_t cursor() const;  ///< a position in text()
  /// In UTF-8: the text on the left of the cursor.
  std::string left() const;
  void move_to(std::size_t position);
  void replace(const std::wstring& text);  ///< and puts the cursor behind it
  void insert(const std::wstring& text);   ///< at the cursor
  void erase_left(std::size_t characters);

  /// Of its lines the last is edited behind; those above are written at once.
  void start(const std::string& prompt);
  /// In the place of the prompt; one line.
  void set_prompt(const std::string& prompt);
  const std::string& prompt() const noexcept { return prompt_; }
  /// Goes to where the prompt begins, in a window that may have changed its size.
  void go_to_prompt();
  /// Draws prompt and line on the row of the cursor, and clears what is below.
  void draw_here();
  /// Puts the cursor behind the line, on the screen too.
  void go_to_end();
  /// Goes to the row below the line.
  void go_below();

 private:
  struct give_back {
    void operator()(EditLine* line) const noexcept { el_end(line); }
  };

  static line_editor& of(EditLine* line);
  static wchar_t* prompt_of(EditLine* line);

  void* owner_;
  palette colours_;
  std::string prompt_;
  std::wstring coloured_prompt_;
  int width_ = 80;  ///< of the window when the line was last drawn
  std::unique_ptr<EditLine, give_back> handle_;
};

}  // namespace troupe::shell
