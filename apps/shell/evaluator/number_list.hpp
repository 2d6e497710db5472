// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "troupe/apps/shell/evaluator/shell_value.hpp"

namespace troupe::shell {

/// The array that nested lists of numbers stand for: float64 if there is a real among them, else
/// int64 if there is an integer, else bool. Nothing if anything but numbers is in them. Throws for
/// rows of different lengths.
std::optional<tensor> numbers_of(const list& items, const std::string& what, caller where);

}  // namespace troupe::shell
