// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace troupe::shell {

/// Appends a statement as lines of no more than `width` characters, where it can be broken behind
/// commas and operators.
void add_wrapped(std::vector<std::string>& lines, const std::string& statement, std::size_t width);

}  // namespace troupe::shell
