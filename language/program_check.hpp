// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/language/evaluator/evaluator.hpp"
#include "troupe/language/syntax/syntax_tree.hpp"

namespace troupe::language {

/// Throws syntax_error unless statements make a program: declarations and definitions, the last of
/// them a definition; in these only names that mean something, and nothing that prints, waits,
/// reads files or otherwise reaches out of the program. `with` has only the language's own words.
void check_program(const block& statements, const symbol_table& symbols, const evaluator& with);

}  // namespace troupe::language
