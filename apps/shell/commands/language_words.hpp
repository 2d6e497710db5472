// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace troupe::shell {

/// Word of the language that is no function: a statement, an operator that is a word, a constant,
/// an output.
struct language_word {
  std::string_view name;
  std::string_view example;
  std::string_view doc;
};

std::span<const language_word> all_language_words() noexcept;
/// Returns the word with a name; null if there is none. `_12` is found as `_3`.
const language_word* find_language_word(std::string_view name) noexcept;

}  // namespace troupe::shell
