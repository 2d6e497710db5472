// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_layout.hpp"

#include <algorithm>

#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"

namespace troupe::shell {

namespace {

using what = cpp_item::what;

}  // namespace

cpp_layout::cpp_layout(const cpp_context& c, const cpp_reach& reach, const cpp_block& program)
    : c_(c), reach_(reach) {
  // First without what is there only if something else speaks of it.
  visit(program, -1, 0, nullptr, false);
  for (const auto& [entity, uses] : uses_) used_.insert(entity);
  all_ = true;
  nodes_.clear();
  blocks_.clear();
  uses_.clear();
  inside_.clear();
  visit(program, -1, 0, nullptr, false);
  declare_all();
}

void cpp_layout::visit(const cpp_block& code, int parent, std::size_t item,
                       const cpp_instance* function, bool is_loop) {
  const int node = static_cast<int>(nodes_.size());
  nodes_.push_back({parent, item, function, is_loop});
  blocks_.push_back(&code);
  for (std::size_t i = 0; i < code.size(); ++i) visit(code[i], node, i);
}

void cpp_layout::visit(const cpp_item& item, int node, std::size_t at) {
  switch (item.is) {
    case what::functions:
      for (const auto& one : item.instances) {
        use_of(one->entity, node, at, &item);
        visit(*one, node, at);
      }
      return;
    case what::assignment:
      if (item.only_if_used && !(all_ && is_used(item.entity))) return;
      visit(item.text, node, at);
      assigned_.insert(item.entity);
      return use_of(item.entity, node, at, item.operation.empty() ? &item : nullptr);
    case what::unpacking:
      visit(item.text, node, at);
      for (const int one : item.entities) {
        assigned_.insert(one);
        use_of(one, node, at, &item);
      }
      return;
    case what::output:
      if (!all_ || item.entity < 0 || !is_used(item.entity))
        return visit(all_ ? item.shown : item.text, node, at);
      visit(item.text, node, at);
      return use_of(item.entity, node, at, &item);
    case what::compound: {
      visit(item.text, node, at);
      const auto* function = nodes_[static_cast<std::size_t>(node)].function;
      visit(item.body, node, at, function, item.text.starts_with("for"));
      return visit(item.otherwise, node, at, function, false);
    }
    case what::line:
    case what::result: break;
  }
  visit(item.text, node, at);
}

void cpp_layout::visit(std::string_view text, int node, std::size_t at) {
  for (const auto& piece : pieces_of(text)) {
    if (piece.entity < 0) continue;
    const auto& e = c_.entities[piece.entity];
    switch (e.is) {
      case cpp_entity::what::inlined: visit(reach_.only(e), node, at); break;
      case cpp_entity::what::reference: use_of(reach_.only(e).entity, node, at); break;
      case cpp_entity::what::presence: break;
      default: use_of(piece.entity, node, at);
    }
  }
}

void cpp_layout::visit(const cpp_instance& i, int node, std::size_t at) {
  inside_[&i];
  outside_[&i] = host_.empty() ? nullptr : host_.back();
  host_.push_back(&i);
  if (i.text.empty()) visit(i.body, node, at, &i, false);
  else visit(i.text, node, at);
  host_.pop_back();
}

void cpp_layout::use_of(int entity, int node, std::size_t at, const cpp_item* declares) {
  uses_[entity].push_back({node, at, declares});
  for (const auto* i : host_) inside_[i].insert(entity);
}

int cpp_layout::depth(int node) const {
  int n = 0;
  for (; node >= 0; node = nodes_[static_cast<std::size_t>(node)].parent) ++n;
  return n;
}

/// The innermost block that both are in, and where the first is in it.
cpp_layout::use cpp_layout::common(use a, use b) const {
  const auto climb = [&](use& u) {
    const auto& n = nodes_[static_cast<std::size_t>(u.node)];
    u = {n.parent, n.item, nullptr};
  };
  while (depth(a.node) > depth(b.node)) climb(a);
  while (depth(b.node) > depth(a.node)) climb(b);
  while (a.node != b.node) {
    climb(a);
    climb(b);
  }
  return a;
}

/// A variable keeps its value from one turn of a loop to the next.
cpp_layout::use cpp_layout::outside_loops(use at) const {
  auto out = at;
  for (auto u = at; u.node >= 0;) {
    const auto& n = nodes_[static_cast<std::size_t>(u.node)];
    if (n.parent < 0 || nodes_[static_cast<std::size_t>(n.parent)].function != n.function) break;
    const bool loop = n.is_loop;
    u = {n.parent, n.item, nullptr};
    if (loop) out = u;
  }
  return out;
}

void cpp_layout::declare_all() {
  for (const auto& [entity, uses] : uses_) {
    const auto& e = c_.entities[entity];
    if (e.is == cpp_entity::what::variable) declare(entity, uses);
    if (e.is != cpp_entity::what::instance) continue;
    auto all = uses[0];
    for (const auto& one : uses) all = common(all, one);
    if (!uses[0].declares || all.node != uses[0].node)
      refuse("the function " + e.base + " is used where its definition cannot be seen", e.where);
  }
}

void cpp_layout::declare(int entity, const std::vector<use>& uses) {
  const auto& e = c_.entities[entity];
  auto all = uses[0];
  for (const auto& one : uses) all = common(all, one);
  if (uses[0].declares && all.node == uses[0].node) {
    declared_by_[entity] = uses[0].declares;
    return;
  }
  if (cpp_type(e.kind).empty())
    refuse("the function " + e.base + " is made in an inner block and used after it", e.where);
  all = outside_loops(all);
  before_[&(*blocks_[static_cast<std::size_t>(all.node)])[all.item]].push_back(entity);
}

bool cpp_layout::declares(const cpp_item& item, int entity) const {
  const auto found = declared_by_.find(entity);
  if (found == declared_by_.end() || found->second != &item) return false;
  // A pair is taken apart into new names or into old ones.
  return item.is != what::unpacking ||
         std::all_of(item.entities.begin(), item.entities.end(), [&](int one) {
           const auto other = declared_by_.find(one);
           return other != declared_by_.end() && other->second == &item;
         });
}

std::vector<int> cpp_layout::declared_before(const cpp_item& item) const {
  std::vector<int> all;
  if (const auto found = before_.find(&item); found != before_.end()) all = found->second;
  if (item.is == what::unpacking)
    for (const int one : item.entities)
      if (declared_by_.count(one) && declared_by_.at(one) == &item && !declares(item, one))
        all.push_back(one);
  return all;
}

}  // namespace troupe::shell
