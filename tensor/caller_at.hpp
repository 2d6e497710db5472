// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string_view>

namespace troupe {

/// A place in text that is no C++: a script, a line typed into a shell, a program behind a binding.
/// To be given as the last argument of a call, whose errors then name it: `matmul(a, b,
/// caller_at("model.txt", 3))`. Each place is kept for as long as the program runs. Thread-safe.
/// Throws std::bad_alloc.
std::source_location caller_at(std::string_view file, unsigned line, unsigned column = 0);

}  // namespace troupe
