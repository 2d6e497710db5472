// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "troupe/apps/shell/cpp_writer/cpp_reach.hpp"

namespace troupe::shell {

/// A block of a program, and where it stands: in which item of which other.
struct cpp_node {
  int parent = -1;
  std::size_t item = 0;
  const cpp_instance* function = nullptr;  ///< the innermost around it
  bool is_loop = false;
};

/// Where entities are used and variables declared.
class cpp_layout {
 public:
  /// Throws for what is used where it cannot be declared.
  cpp_layout(const cpp_context& c, const cpp_reach& reach, const cpp_block& program);

  /// Whether anything but what gives it its value speaks of an entity.
  bool is_used(int entity) const { return used_.count(entity) > 0; }
  /// Whether an item is the declaration of its entity.
  bool declares(const cpp_item& item, int entity) const;
  /// The variables that are declared in front of an item.
  std::vector<int> declared_before(const cpp_item& item) const;
  /// What is used in a function.
  const std::set<int>& used_in(const cpp_instance& i) const { return inside_.at(&i); }
  /// Whether an assignment gives an entity a value, which matters for parameters.
  bool is_assigned(int entity) const { return assigned_.count(entity) > 0; }
  /// The function that another is written in; none: in main.
  const cpp_instance* around(const cpp_instance& i) const { return outside_.at(&i); }
  const cpp_reach& reach() const noexcept { return reach_; }

 private:
  struct use {
    int node;
    std::size_t item;
    const cpp_item* declares;  ///< the item that could declare it there
  };

  void visit(const cpp_block& code, int parent, std::size_t item, const cpp_instance* function,
             bool is_loop);
  void visit(const cpp_item& item, int node, std::size_t at);
  void visit(std::string_view text, int node, std::size_t at);
  void visit(const cpp_instance& i, int node, std::size_t at);
  void use_of(int entity, int node, std::size_t at, const cpp_item* declares = nullptr);
  void declare_all();
  void declare(int entity, const std::vector<use>& uses);
  use common(use a, use b) const;
  int depth(int node) const;
  use outside_loops(use at) const;

  const cpp_context& c_;
  const cpp_reach& reach_;
  bool all_ = false;  // what depends on other uses is visited, too
  std::set<int> used_;
  std::vector<cpp_node> nodes_;
  std::vector<const cpp_block*> blocks_;  // of the nodes
  std::vector<const cpp_instance*> host_;
  std::map<int, std::vector<use>> uses_;
  std::map<const cpp_instance*, std::set<int>> inside_;
  std::map<const cpp_instance*, const cpp_instance*> outside_;
  std::set<int> assigned_;
  std::map<int, const cpp_item*> declared_by_;
  std::map<const cpp_item*, std::vector<int>> before_;
};

}  // namespace troupe::shell
