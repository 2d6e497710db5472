// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace troupe::shell {

/// Lists words in as many columns of one width as there is room for in lines narrower than `width`,
/// to be read downwards, as lines that end in newlines. Words for which there is no room have a
/// line each.
std::string in_columns(const std::vector<std::string>& words, int width);

/// Returns the beginning that all the words share, in whole UTF-8 characters.
std::string common_prefix(const std::vector<std::string>& words);

}  // namespace troupe::shell
