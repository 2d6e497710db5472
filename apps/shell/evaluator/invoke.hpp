// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/apps/shell/evaluator/arguments.hpp"
#include "troupe/apps/shell/evaluator/shell_value.hpp"

namespace troupe::shell {

/// Calls a word, a function, or a dtype, which converts. Throws if the arguments do not fit, or if
/// it cannot be called.
shell_value invoke(const shell_value& what, std::vector<shell_value> given,
                   std::vector<named_thing> named, caller where, waiter wait = {});

}  // namespace troupe::shell
