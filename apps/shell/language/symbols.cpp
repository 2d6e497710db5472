// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/language/symbols.hpp"

namespace troupe::shell {

symbol symbol_table::of(std::string_view name) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  const auto number = static_cast<symbol>(names_.size());
  numbers_.emplace(names_.emplace_back(name), number);
  return number;
}

}  // namespace troupe::shell
