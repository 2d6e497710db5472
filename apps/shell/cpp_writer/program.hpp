// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "troupe/language/syntax/syntax_tree.hpp"

namespace troupe::shell {

using namespace language;
class session;
}  // namespace troupe::shell

namespace troupe::shell::cpp {

/// Input of a session, or a new seed of its random numbers.
struct step {
  std::string source = {};
  block statements = {};
  std::optional<std::uint64_t> seed = {};
};

/// Returns a C++ program that does the same as the inputs and prints the values they show. It
/// compiles against troupe.hpp and runs with that many CPU devices. Throws troupe::error, naming
/// the place, for statements without C++.
std::string program_of(symbol_table& symbols, const std::vector<step>& steps, int cpu_devices);
/// Returns the program of a session's inputs.
std::string program_of(session& s);

}  // namespace troupe::shell::cpp
