// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/language/evaluator/word.hpp"

namespace troupe::shell {

using namespace language;

/// Call of a function of the language, up to a place within its parentheses.
struct open_call {
  const word* function = nullptr;
  bool method = false;                  ///< `x.sum(`: its first parameter is there
  std::vector<std::string_view> whole;  ///< the arguments before the last
  std::string_view last;                ///< the unfinished one at the place, trimmed

  /// Returns the parameters without an argument so far.
  std::vector<const parameter*> left() const;
  /// Returns the parameter whose value begins at the place: `sum(x, axis=`. Null if none does.
  const parameter* named() const noexcept;
};

/// Returns the call that a text ends in; nothing if it ends elsewhere, such as in the brackets of
/// an index. There are no texts in quotes in it.
std::optional<open_call> open_call_in(std::string_view text);

/// Returns the start of the name that a text ends in; the text's end if it ends in none.
std::size_t begin_of_name(std::string_view text) noexcept;

/// Returns the completions of the word before the cursor: a command or its arguments, a variable, a
/// function, an attribute, an argument's name or value within a call, or a file within quotes.
completions complete(session& s, std::string_view line, std::size_t cursor);

}  // namespace troupe::shell
