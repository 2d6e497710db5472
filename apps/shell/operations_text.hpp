// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace troupe::shell {

/// The functions of the language, by group: for a terminal, or as docs/operations.md.
std::string operations_text();
std::string operations_markdown();

}  // namespace troupe::shell
