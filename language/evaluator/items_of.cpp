// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/items_of.hpp"

#include "troupe/tensor/ops/slice.hpp"

namespace troupe::language {

std::optional<std::vector<dynamic_value>> items_of(const dynamic_value& x, caller where) {
  if (const auto* items = std::get_if<std::shared_ptr<const list>>(&x)) return (*items)->items;
  const auto* array = std::get_if<tensor>(&x);
  if (!array || array->rank() == 0) return {};
  std::vector<dynamic_value> out;
  for (auto& part : unstack(*array, 0, where)) out.emplace_back(std::move(part));
  return out;
}

dynamic_value as_list(std::vector<tensor> parts) {
  list all;
  for (auto& one : parts) all.items.emplace_back(std::move(one));
  return std::make_shared<const list>(std::move(all));
}

}  // namespace troupe::language
