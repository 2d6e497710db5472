// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "troupe/apps/shell/cpp_writer/cpp_code.hpp"
#include "troupe/apps/shell/language/symbols.hpp"

namespace troupe::shell {

/// All names at some point: copied to come back to it.
struct cpp_scope {
  cpp_names globals;
  std::vector<cpp_names> frames;  ///< of the functions that are being translated; the last counts

  cpp_names& current() noexcept { return frames.empty() ? globals : frames.back(); }
  const cpp_names& current() const noexcept { return frames.empty() ? globals : frames.back(); }
};

/// Names to begin a loop's body with, and what they are converted from on the way in.
struct cpp_loop_entry {
  struct conversion {
    int from, to;
  };
  cpp_scope names;
  std::vector<conversion> conversions;
};

/// The C++ variables for the names of the language: one for each name, function and C++ type.
class cpp_variables {
 public:
  cpp_variables(cpp_entities& entities, const symbol_table& symbols)
      : entities_(entities), symbols_(symbols) {}

  /// The variable that holds a name's values of a kind.
  int of(symbol name, const cpp_kind& kind, const cpp_instance* function,
         std::source_location where);

  /// A parameter holds them instead.
  void add_parameter(symbol name, const cpp_instance* function, int entity);

  /// What names are after one of two ways was taken.
  cpp_names either(const cpp_names& a, const cpp_names& b) const;
  /// Makes the names at the start of a loop fit those at the end of its body, too. False if they
  /// did already.
  bool widen(cpp_loop_entry& start, const cpp_names& end) const;

 private:
  cpp_kind mixture(symbol name, const cpp_binding& a, const cpp_binding& b) const;

  cpp_entities& entities_;
  const symbol_table& symbols_;
  std::map<std::tuple<symbol, const cpp_instance*, std::string>, int> known_;
};

}  // namespace troupe::shell
