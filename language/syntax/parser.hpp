// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "troupe/language/syntax/syntax_tree.hpp"

namespace troupe::language {

/// Place of an input, for errors and traces: `input`, line 3, or `train.tr`, line 12.
struct origin {
  std::string file = "input";
  unsigned line = 1;         ///< of the input's first character
  bool counts_lines = true;  ///< false: all of it is on that line
  std::size_t column = 0;    ///< its column there, in bytes
};

/// Parses the statements of an input. Throws syntax_error, or incomplete_input if more lines could
/// complete it.
block parse(std::string_view input, symbol_table& symbols, const origin& from = {});
/// Parses the only expression of an input.
expression parse_expression(std::string_view input, symbol_table& symbols, const origin& from = {});

}  // namespace troupe::language
