// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/terminal/colours.hpp"
#include "troupe/apps/shell/terminal/signals.hpp"

namespace troupe::shell {

/// Answer to the question for a line.
struct input {
  enum class kind {
    line,         ///< `text` is what was typed, without the newline that ended it
    interrupted,  ///< Ctrl-C; what had been typed is dropped
    end           ///< Ctrl-D on an empty line, or the end of the file
  };
  kind what = kind::end;
  std::string text = {};  ///< bytes as they came in; several lines if they were pasted as one
};

/// Words that one could become.
struct completions {
  std::size_t begin = 0;                ///< start of the word in the line, in bytes
  std::vector<std::string> words = {};  ///< each stands for all from `begin` to the cursor
};

/// Source of lines: a person or a script.
class line_reader {
 public:
  line_reader() = default;
  line_reader(const line_reader&) = delete;
  line_reader& operator=(const line_reader&) = delete;
  virtual ~line_reader() = default;

  /// Returns the next input. The prompt is one line of plain text; it is coloured here, and not
  /// shown where nobody types.
  virtual input read(const std::string& prompt) = 0;
  /// Adds to the history, if there is one, unless the entry is blank or the same as the one before.
  /// It may have several lines.
  virtual void remember(const std::string& entry) = 0;
};

/// Reader of lines as they come: from scripts, pipes, and terminals without line editing. A
/// carriage return before a newline goes with it; the last line needs no newline. It may read ahead
/// of the lines it has returned.
class plain_reader final : public line_reader {
 public:
  /// Prompts only if the descriptor is a terminal: on standard output, or on standard error if that
  /// is what goes to a terminal. Does not close the descriptor.
  explicit plain_reader(int file_descriptor, palette colours = {});

  /// Returns `interrupted` for Ctrl-C while it waits, and the end for a descriptor that cannot be
  /// read.
  input read(const std::string& prompt) override;
  void remember(const std::string&) override {}

 private:
  input::kind read_more(std::optional<signal_watch>& watch);
  input line_up_to(std::size_t newline);

  unblocked_input file_;
  bool prompts_;
  palette colours_;
  std::string bytes_;
  std::size_t begin_ = 0;  ///< of what has not been returned yet
  bool ended_ = false;
};

struct reader_options {
  /// Completes the text so far, of several lines after a paste, of which the given number of bytes
  /// is left of the cursor. If it throws, there are no completions.
  std::function<completions(std::string_view line, std::size_t cursor)> complete = {};
  std::string history_file = {};  ///< empty: none; made, with its folder, if missing
  bool colour = false;
};

/// Makes a reader: with line editing and history if the program was built with libedit and standard
/// input and output are terminals that can move their cursor; else one that takes lines as they
/// come. If the history's file cannot be read or written, one line on standard error says so.
std::unique_ptr<line_reader> make_line_reader(reader_options options);

/// Lists words in as many columns of one width as there is room for in lines narrower than `width`,
/// to be read downwards, as lines that end in newlines. Words for which there is no room have a
/// line each.
std::string in_columns(const std::vector<std::string>& words, int width);

/// Returns the beginning that all the words share, in whole UTF-8 characters.
std::string common_prefix(const std::vector<std::string>& words);

}  // namespace troupe::shell
