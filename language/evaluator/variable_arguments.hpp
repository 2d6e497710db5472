// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "troupe/language/evaluator/arguments.hpp"

/// Functions that words such as grad and vmap take.

namespace troupe::language {

/// Returns the number of arguments that a function, the first argument of a word, is called with.
/// Throws if it takes none.
std::size_t parameters_of_function(const arguments& a);
/// Returns the word with the function in messages: "grad(f)".
std::string title_of(const arguments& a);

/// Arguments of a function, some of which are variables to differentiate by: arrays, or lists with
/// arrays in them.
class variable_arguments {
 public:
  /// Throws for variables that hold no floats; `title` names the caller.
  variable_arguments(std::vector<dynamic_value> given, std::vector<std::size_t> wanted,
                     const std::string& title, caller where);

  /// Returns the arrays of all variables.
  const std::vector<tensor>& variables() const noexcept { return variables_; }
  /// Returns the arguments with other arrays in place of those of the variables.
  std::vector<dynamic_value> with(const std::vector<tensor>& arrays) const;
  /// Returns arrays, one for each of the variables', in lists like theirs: for the first variable,
  /// or a list of those for all.
  dynamic_value like_variables(const std::vector<tensor>& arrays, bool several) const;

 private:
  std::vector<dynamic_value> given_;
  std::vector<std::size_t> wanted_;
  std::vector<tensor> variables_;
};

/// Returns a list of two.
dynamic_value pair_of(dynamic_value first, dynamic_value second);

}  // namespace troupe::language
