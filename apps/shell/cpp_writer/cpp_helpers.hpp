// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace troupe::shell {

/// The definitions of what a program needs and neither C++ nor the library has, by name; empty for none.
std::string cpp_helper_definitions(const std::set<std::string_view>& names);

}  // namespace troupe::shell
