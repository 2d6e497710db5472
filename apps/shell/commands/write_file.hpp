// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace troupe::shell {

/// Throws if it cannot be written.
void write_file(const std::string& path, const std::string& text);

}  // namespace troupe::shell
