// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace troupe::shell {

/// Returns what is in a script. Throws troupe::error with the reason if it cannot be read, is a
/// folder, or has more than 64 MiB.
std::string read_script(const std::string& path);

/// Writes a file whole or not at all: an older one stays where that fails. A pipe or a device is
/// written to as it is. Throws troupe::error with the reason, which begins with `what`.
void write_text_file(const std::string& what, const std::string& path, const std::string& text);

}  // namespace troupe::shell
