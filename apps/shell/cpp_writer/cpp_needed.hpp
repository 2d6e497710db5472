// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace troupe::shell {

/// The definitions of what a program speaks of that neither C++ nor the library has; empty for
/// none.
std::string cpp_definitions(std::string_view program);
/// The #include lines of what a program speaks of.
std::string cpp_includes(std::string_view program);

}  // namespace troupe::shell
