// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/apps/shell/evaluator/thing.hpp"

namespace troupe::shell {

/// The same thing with its arrays belonging to the current engine, as copies: a sync point. What failed stays what it
/// is, and so do functions.
thing carried(const thing& x);

}  // namespace troupe::shell
