// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "troupe/apps/shell/cpp_writer/cpp_context.hpp"
#include "troupe/apps/shell/language/syntax.hpp"

namespace troupe::shell {

struct word;

/// A function of the language. In C++ it becomes a lambda for each choice of kinds that it is
/// called with.
struct cpp_function {
  enum class what : std::uint8_t { word, closure, gradient };
  what is = what::closure;
  std::string name;   ///< that C++ gives it
  std::string title;  ///< that messages give it
  std::string text;   ///< that the shell shows
  const word* builtin = nullptr;
  std::vector<symbol> parameters = {};           ///< of a closure
  std::shared_ptr<const expression> value = {};  ///< its body is this
  std::shared_ptr<const block> body = {};        ///< or that
  cpp_names around = {};                         ///< the names of the function that made it
  cpp_value of = {};                             ///< what a gradient is of
  std::size_t argument = 0;                      ///< with respect to this one
  bool with_value = false;
  bool has_name = false;  ///< it stands at the place that defined it
  std::vector<std::shared_ptr<cpp_instance>> instances = {};
  std::source_location where;
  const cpp_instance* home = nullptr;  ///< the function that made it

  std::size_t parameter_count() const;
};

using cpp_function_ptr = std::shared_ptr<cpp_function>;

/// The value that a name or an expression for a function is.
cpp_value cpp_function_value(cpp_context& c, cpp_function_ptr f, std::source_location where);
/// What a lambda or a definition makes.
cpp_function_ptr cpp_closure(cpp_context& c, std::string name, std::vector<symbol> parameters,
                             std::shared_ptr<const expression> value,
                             std::shared_ptr<const block> body, std::source_location where);
/// What grad and value_and_grad make.
cpp_function_ptr cpp_gradient(cpp_context& c, cpp_value of, std::size_t argument, bool with_value,
                              std::source_location where);

/// Calls a function: `callee` is the expression for it.
cpp_value cpp_call_function(cpp_context& c, const cpp_value& callee, std::vector<cpp_value> given,
                            std::source_location where);
/// The function for arguments of these kinds, which is translated if it was not yet.
std::shared_ptr<cpp_instance> cpp_instance_for(cpp_context& c, const cpp_function_ptr& f,
                                               const std::vector<cpp_kind>& kinds,
                                               std::source_location where);
/// Translates what was never called, as if with arrays; leaves out what has no C++ then.
void cpp_translate_uncalled(cpp_context& c);

}  // namespace troupe::shell
