// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "troupe/language/evaluator/dynamic_value.hpp"

namespace troupe::language {

/// Returns the items of a list, or the parts of an array along its first axis: nested lists of
/// numbers become arrays when they are assigned. Nothing for a number and all else.
std::optional<std::vector<dynamic_value>> items_of(const dynamic_value& x, caller where);
/// Returns a list of arrays.
dynamic_value as_list(std::vector<tensor> parts);

}  // namespace troupe::language
