// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/apps/shell/evaluator/shell_value.hpp"

namespace troupe::shell {

/// The same shell_value with its arrays belonging to the current engine, as copies: a sync point.
/// What failed stays what it is, and so do functions.
shell_value copy_to_engine(const shell_value& x);

}  // namespace troupe::shell
