// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/stand_ins.hpp"

namespace troupe::shell {

stand_ins::stand_ins(evaluator& variables,
                     const std::function<std::optional<tensor>(const tensor&)>& of)
    : variables_(variables) {
  for (const auto name : variables.names()) {
    const auto before = *variables.find(name);
    const auto* array = std::get_if<tensor>(&before);
    if (!array || !array->defined()) continue;
    if (auto instead = of(*array)) {
      before_.emplace_back(name, before);
      variables.assign(name, *instead);
    }
  }
}

stand_ins::~stand_ins() {
  for (auto& [name, value] : before_) variables_.assign(name, std::move(value));
}

}  // namespace troupe::shell
