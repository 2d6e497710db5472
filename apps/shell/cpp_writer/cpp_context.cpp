// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_context.hpp"

#include <algorithm>

#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

}  // namespace

cpp_context::cpp_context(symbol_table& names)
    : symbols(names), runtime_(entities.add({.is = cpp_entity::what::own, .base = "rt"})) {}

/// Functions know what they call, which may be themselves.
cpp_context::~cpp_context() {
  for (const auto& f : functions) f->instances.clear();
}

std::optional<cpp_binding> cpp_context::find(symbol name) {
  if (!scope.frames.empty()) {
    const auto own = scope.frames.back().find(name);
    if (own != scope.frames.back().end()) return own->second;
  }
  const auto found = scope.globals.find(name);
  const bool known = found != scope.globals.end();
  for (const auto& f : running)
    f->relied_on.try_emplace(name, known ? found->second : cpp_binding{-2, {}});
  if (!known) return {};
  auto out = found->second;
  if (!running.empty()) out.kind = without_value(out.kind);  // it may be another at the next call
  return out;
}

cpp_value cpp_context::value_of(const cpp_binding& b, std::source_location where) const {
  if (b.kind == type::mixed) refuse(b.kind.facts, where);
  cpp_value out{.kind = b.kind, .text = mark(b.entity), .held = true, .where = where};
  out.plain = true;
  return out;
}

cpp_item& cpp_context::assign(symbol name, const cpp_value& value, std::source_location where) {
  const int entity = variables.of(name, value.kind, function(), where);
  scope.current()[name] = {entity, value.kind};
  return emit({.is = cpp_item::what::assignment, .text = value.text, .entity = entity});
}

cpp_value cpp_context::named(const std::string& base, cpp_value value) {
  if (value.kind == type::list) value = as_variable(*this, std::move(value), value.where);
  if (maybe > 0) refuse("it would have to be computed beforehand", value.where);
  const int entity =
      entities.add({.base = base, .kind = without_value(value.kind), .where = value.where});
  emit({.is = cpp_item::what::assignment, .text = value.text, .entity = entity});
  cpp_value out{.kind = value.kind, .text = mark(entity), .plain = true, .where = value.where};
  return out;
}

void cpp_context::put_in_order(std::vector<cpp_value>& values) {
  auto drawing = std::count_if(values.begin(), values.end(), [](auto& v) { return v.draws; });
  for (auto& one : values)
    if (one.draws && drawing-- > 1) one = named("drawn", std::move(one));
}
}  // namespace troupe::shell
