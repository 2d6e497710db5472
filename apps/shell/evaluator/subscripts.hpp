// SPDX-License-Identifier: MIT
#pragma once

#include <variant>
#include <vector>

#include "troupe/apps/shell/evaluator/shell_value.hpp"

namespace troupe::shell {

/// What stands in brackets: `...`, `newaxis` or a value.
struct rest_of_axes {};
using subscript_item = std::variant<rest_of_axes, new_axis_type, shell_value>;

/// `x[items]`: of an array a view, or a copy for an array of positions; of a list an item or some.
/// Throws for what has no items, and for indices that do not fit.
shell_value part_of(const shell_value& x, const std::vector<subscript_item>& items, caller where);

}  // namespace troupe::shell
