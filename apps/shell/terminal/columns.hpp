// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace troupe::shell {

/// The words in as many columns as there is room for in lines narrower than `width`, to be read
/// downwards, as lines that end in newlines. Words for which there is no room have a line each.
std::string in_columns(const std::vector<std::string>& words, int width);

}  // namespace troupe::shell
