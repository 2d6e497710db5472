// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string_view>

namespace troupe {

/// Returns a source location in text other than C++: a script, a line typed into a shell, a program
/// behind a binding. Pass it as the last argument of a call, whose errors then name it: `matmul(a,
/// b, caller_at("model.txt", 3))`. Each location is kept until the program ends. Thread-safe.
/// Throws std::bad_alloc.
std::source_location caller_at(std::string_view file, unsigned line, unsigned column = 0);

}  // namespace troupe
