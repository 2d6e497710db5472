// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace troupe::shell {

/// What all the words begin with, in whole UTF-8 characters.
std::string common_prefix(const std::vector<std::string>& words);

}  // namespace troupe::shell
