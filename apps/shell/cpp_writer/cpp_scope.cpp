// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_scope.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

bool same(const cpp_binding& a, const cpp_binding& b) noexcept {
  return a.entity == b.entity && same_type(a.kind, b.kind);
}

}  // namespace

int cpp_variables::of(symbol name, const cpp_kind& kind, const cpp_instance* function,
                      std::source_location where) {
  const auto make = [&] {
    return entities_.add(
        {.base = symbols_.name(name), .kind = without_value(kind), .where = where});
  };
  if (kind == type::function) return make();  // one closure cannot be assigned to another
  const auto [at, is_new] = known_.try_emplace({name, function, std::string(cpp_type(kind))}, -1);
  if (is_new) at->second = make();
  return at->second;
}

void cpp_variables::add_parameter(symbol name, const cpp_instance* function, int entity) {
  known_[{name, function, std::string(cpp_type(entities_[entity].kind))}] = entity;
}

cpp_kind cpp_variables::mixture(symbol name, const cpp_binding& a, const cpp_binding& b) const {
  if (a.kind == type::mixed) return a.kind;
  if (b.kind == type::mixed) return b.kind;
  const auto first = name_of(a.kind), second = name_of(b.kind);
  return {.is = type::mixed,
          .facts = symbols_.name(name) + " is " + std::string(first) + " or " +
                   (first == second ? "another" : std::string(second)) +
                   " there, as the program runs"};
}

cpp_names cpp_variables::either(const cpp_names& a, const cpp_names& b) const {
  auto out = b;
  for (const auto& [name, one] : a) {
    const auto [at, is_new] = out.try_emplace(name, one);
    if (is_new) continue;
    auto& other = at->second;
    if (same(one, other)) other.kind = joined(one.kind, other.kind);
    else other = {-1, mixture(name, one, other)};
  }
  return out;
}

bool cpp_variables::widen(cpp_loop_entry& start, const cpp_names& end) const {
  bool changed = false;
  for (auto& [name, one] : start.names.current()) {
    const auto found = end.find(name);
    if (found == end.end() || one.kind == type::mixed) continue;
    const auto& other = found->second;
    if (same(one, other)) {
      const auto both = joined(one.kind, other.kind);
      changed = changed || both.listed != one.kind.listed || both.natural != one.kind.natural ||
                both.count != one.kind.count || both.rank != one.kind.rank ||
                both.constant.has_value() != one.kind.constant.has_value() ||
                both.known_text != one.kind.known_text;
      one.kind = both;
      continue;
    }
    changed = true;
    if (one.kind == type::integer && other.kind == type::real) {
      start.conversions.push_back({one.entity, other.entity});
      one = {other.entity, without_value(other.kind)};
    } else {
      one = {-1, mixture(name, one, other)};
    }
  }
  return changed;
}

}  // namespace troupe::shell
