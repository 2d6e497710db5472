// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/arrays_within.hpp"

#include <algorithm>

namespace troupe::language {

namespace {

/// Returns the list if it has arrays in it; null for everything else.
const list* with_arrays_in_it(const dynamic_value& x) {
  const auto* items = std::get_if<std::shared_ptr<const list>>(&x);
  if (!items) return nullptr;
  const auto has_array = [](const dynamic_value& one) {
    return std::holds_alternative<tensor>(one) || with_arrays_in_it(one);
  };
  return std::ranges::any_of((*items)->items, has_array) ? items->get() : nullptr;
}

}  // namespace

std::vector<tensor> arrays_within(const dynamic_value& x, const std::string& what, caller where) {
  const auto* const items = with_arrays_in_it(x);
  if (!items) return {to_array(x, what, where)};
  std::vector<tensor> out;
  for (const auto& one : items->items) {
    const auto more = arrays_within(one, what, where);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

bool has_arrays_in_list(const dynamic_value& x) { return with_arrays_in_it(x) != nullptr; }

dynamic_value with_arrays(const dynamic_value& like, const tensor*& next) {
  const auto* const items = with_arrays_in_it(like);
  if (!items) return *next++;
  list out;
  for (const auto& one : items->items) out.items.push_back(with_arrays(one, next));
  return std::make_shared<const list>(std::move(out));
}

}  // namespace troupe::language
