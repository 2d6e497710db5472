// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/apps/shell/evaluator/arguments.hpp"
#include "troupe/apps/shell/evaluator/thing.hpp"

namespace troupe::shell {

/// Calls a word, a function, or a dtype, which converts. Throws if the arguments do not fit, or if it cannot be called.
thing invoke(const thing& what, std::vector<thing> given, std::vector<named_thing> named,
             caller where, waiter wait = {});

}  // namespace troupe::shell
