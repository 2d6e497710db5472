// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_naming.hpp"

#include <algorithm>

#include "troupe/apps/shell/cpp_writer/cpp_names.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_printer.hpp"

namespace troupe::shell {

namespace {

using what = cpp_item::what;

}  // namespace

cpp_naming::cpp_naming(const cpp_context& c, const cpp_layout& layout, const cpp_block& program)
    : c_(c), layout_(layout) {
  const int runtime = c.runtime_entity();
  names_[runtime] = c.entities[runtime].base;
  owners_[runtime] = nullptr;
  visit(program);
}

void cpp_naming::visit(const cpp_block& code) {
  levels_.push_back({{}, nullptr});
  for (const auto& item : code) visit(item);
  levels_.pop_back();
}

void cpp_naming::visit(const cpp_item& item) {
  for (const int one : layout_.declared_before(item)) name(one);
  switch (item.is) {
    case what::functions: return visit_functions(item);
    case what::compound:
      visit(item.text);
      levels_.push_back({{}, nullptr});
      for (const int one : item.entities) name(one);
      visit(item.body);
      levels_.pop_back();
      return visit(item.otherwise);
    case what::output:
      visit(item.entity >= 0 && layout_.is_used(item.entity) ? item.text : item.shown);
      break;
    default: visit(item.text);
  }
  if (item.entity >= 0 && layout_.declares(item, item.entity)) name(item.entity);
  for (const int one : item.entities)
    if (item.is == what::line || layout_.declares(item, one)) name(one);
}

void cpp_naming::visit_functions(const cpp_item& item) {
  std::map<std::string, int> before;  // those that others may repeat, by text
  const cpp_printer printer(c_, layout_, *this);
  for (const auto& one : item.instances) {
    name(one->entity);
    visit(*one);
    if (one->recursive || one->of != item.function.get()) continue;
    const auto [first, is_new] = before.try_emplace(printer.definition(*one), one->entity);
    if (is_new) continue;
    repeated_.insert(one.get());
    names_[one->entity] = names_[first->second];
    levels_.back().names.pop_back();
  }
}

void cpp_naming::visit(std::string_view text) {
  for (const auto& piece : pieces_of(text))
    if (piece.entity >= 0 && c_.entities[piece.entity].is == cpp_entity::what::inlined)
      visit(layout_.reach().only(c_.entities[piece.entity]));
}

void cpp_naming::visit(const cpp_instance& i) {
  if (!i.text.empty()) return visit(i.text);
  levels_.push_back({{}, &i});
  const auto around = std::exchange(function_, &i);
  for (const int one : i.parameters) name(one);
  visit(i.body);
  function_ = around;
  levels_.pop_back();
}

/// Whether something that can be seen, and in other functions is used, has that name.
bool cpp_naming::is_taken(const std::string& name) const {
  std::vector<const cpp_instance*> crossed;
  for (auto l = levels_.rbegin(); l != levels_.rend(); ++l) {
    for (const auto& [taken, entity] : l->names) {
      if (taken != name) continue;
      if (std::all_of(crossed.begin(), crossed.end(), [&, e = entity](const cpp_instance* i) {
            return layout_.used_in(*i).count(e) > 0;
          }))
        return true;
    }
    if (l->function) crossed.push_back(l->function);
  }
  return false;
}

void cpp_naming::name(int entity) {
  if (names_.count(entity)) return;
  const auto& base = c_.entities[entity].base;
  auto name = base;
  const bool reserved = is_reserved_in_cpp(base);
  for (int i = reserved ? 1 : 2; (reserved && name == base) || is_taken(name); ++i)
    name = base + "_" + std::to_string(i);
  names_[entity] = name;
  owners_[entity] = function_;
  levels_.back().names.emplace_back(name, entity);
}

}  // namespace troupe::shell
