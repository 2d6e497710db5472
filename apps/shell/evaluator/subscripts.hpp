// SPDX-License-Identifier: MIT
#pragma once

#include <variant>
#include <vector>

#include "troupe/apps/shell/evaluator/shell_value.hpp"

namespace troupe::shell {

/// Item within the brackets of a subscript: `...`, `newaxis` or a value.
struct rest_of_axes {};
using subscript_item = std::variant<rest_of_axes, new_axis_type, shell_value>;

/// Returns `x[items]`: a view of an array, or a copy for an array of positions; one or some of a
/// list's items. Throws for values without items, and for indices that do not fit.
shell_value part_of(const shell_value& x, const std::vector<subscript_item>& items, caller where);

}  // namespace troupe::shell
