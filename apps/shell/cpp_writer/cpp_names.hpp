// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace troupe::shell {

/// Whether a variable of a program cannot have this name: C++ or the library needs it.
bool is_reserved_in_cpp(std::string_view name);

}  // namespace troupe::shell
