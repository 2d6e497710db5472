// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "troupe/apps/shell/cpp_writer/cpp_layout.hpp"

namespace troupe::shell {

/// What entities are called: as in the language where that is free, else with a number behind it.
class cpp_naming {
 public:
  cpp_naming(const cpp_context& c, const cpp_layout& layout, const cpp_block& program);

  const std::string& operator[](int entity) const { return names_.at(entity); }
  /// Whether a function is one that stands before it, for other kinds, word for word.
  bool is_repetition(const cpp_instance& i) const { return repeated_.count(&i) > 0; }
  /// The function that an entity is declared in; none: in main.
  const cpp_instance* owner(int entity) const { return owners_.at(entity); }

 private:
  struct level {
    std::vector<std::pair<std::string, int>> names;
    const cpp_instance* function;  ///< if it begins with this level
  };

  void visit(const cpp_block& code);
  void visit(const cpp_item& item);
  void visit(std::string_view text);
  void visit(const cpp_instance& i);
  void visit_functions(const cpp_item& item);
  void name(int entity);
  bool is_taken(const std::string& name) const;

  const cpp_context& c_;
  const cpp_layout& layout_;
  std::map<int, std::string> names_;
  std::map<int, const cpp_instance*> owners_;
  std::set<const cpp_instance*> repeated_;
  std::vector<level> levels_;
  const cpp_instance* function_ = nullptr;
};

}  // namespace troupe::shell
