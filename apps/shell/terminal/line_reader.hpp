// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::shell {

/// What came of asking for a line.
struct input {
  enum class kind {
    line,         ///< `text` is what was typed, without the newline that ended it
    interrupted,  ///< Ctrl-C; what had been typed is dropped
    end           ///< Ctrl-D on an empty line, or the end of the file
  };
  kind what = kind::end;
  std::string text = {};  ///< bytes as they came in; several lines if they were pasted as one
};

/// What a word could become.
struct completions {
  std::size_t begin = 0;                ///< where in the line the word starts, in bytes
  std::vector<std::string> words = {};  ///< each stands for all from `begin` to the cursor
};

/// Asks a person or a script for lines.
class line_reader {
 public:
  line_reader() = default;
  line_reader(const line_reader&) = delete;
  line_reader& operator=(const line_reader&) = delete;
  virtual ~line_reader() = default;

  /// The next input. The prompt is one line of plain text; it is coloured here, and not shown where
  /// nobody types.
  virtual input read(const std::string& prompt) = 0;
  /// Adds to the history, if there is one, unless the entry is blank or the same as the one before.
  /// It may have several lines.
  virtual void remember(const std::string& entry) = 0;
};

struct reader_options {
  /// Gets the text so far, of several lines after a paste, and how many bytes of it are left of the
  /// cursor. If it throws, there are no completions.
  std::function<completions(std::string_view line, std::size_t cursor)> complete = {};
  std::string history_file = {};  ///< empty: none; made, with its folder, if missing
  bool colour = false;
};

/// With line editing and history if the program was built with libedit, and standard input and
/// output are terminals that can move their cursor; else one that takes lines as they come. If the
/// history's file cannot be read or written, one line on standard error says so.
std::unique_ptr<line_reader> make_line_reader(reader_options options);

}  // namespace troupe::shell
