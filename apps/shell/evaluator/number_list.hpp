// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "troupe/apps/shell/evaluator/shell_value.hpp"

namespace troupe::shell {

/// Converts nested lists of numbers to an array: float64 if there is a real among them, else int64
/// if there is an integer, else bool. Returns nothing if they hold anything but numbers. Throws for
/// rows of different lengths.
std::optional<tensor> numbers_of(const list& items, const std::string& what, caller where);

}  // namespace troupe::shell
