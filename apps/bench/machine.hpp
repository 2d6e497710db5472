// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace troupe::bench {

/// The processor, how many cores of it this process may use, the system's load, and the compiler: a
/// few lines.
std::string describe_machine();

}  // namespace troupe::bench
