// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "troupe/apps/shell/language/syntax.hpp"

namespace troupe::shell {

class session;

namespace cpp {

/// An input of a session, or that its random numbers begin anew there.
struct step {
  std::string source = {};
  block statements = {};
  unsigned number = 0;
  std::optional<std::uint64_t> seed = {};
  bool only_if_drawn = false;  ///< for the seed: another engine took over
};

/// A C++ program that does what inputs do and prints what they show. It compiles against
/// troupe.hpp. `cpu_devices`: how many there are, for a program that may use any of them. Throws
/// troupe::error, naming the place, for what has no C++.
std::string program_of(symbol_table& symbols, const std::vector<step>& steps, int cpu_devices);
/// The program of a session's inputs.
std::string program_of(session& s);

}  // namespace cpp
}  // namespace troupe::shell
