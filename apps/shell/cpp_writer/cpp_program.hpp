// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "troupe/apps/shell/cpp_writer/cpp_context.hpp"
#include "troupe/apps/shell/language/syntax.hpp"

namespace troupe::shell {

class session;

/// A C++ program that does what inputs do and prints what they show. It compiles against
/// troupe.hpp.
class cpp_program {
 public:
  explicit cpp_program(symbol_table& symbols) : context_(symbols) { context_.block = &main_; }

  /// Translates an input. Throws troupe::error, naming the place, for what has no C++.
  void add(const block& statements, unsigned input);
  /// The random numbers begin anew.
  void seed(std::uint64_t key);
  /// Another engine took over: the random numbers begin anew with its seed.
  void restart(std::uint64_t seed);

  /// All of it. `cpu_devices`: how many there are, for a program that may use any of them.
  std::string text(int cpu_devices);

 private:
  cpp_context context_;
  cpp_block main_;
};

/// The program of a session's inputs.
std::string cpp_program_of(session& s);

}  // namespace troupe::shell
