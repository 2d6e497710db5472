// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/commands/write_file.hpp"
#include "troupe/apps/shell/cpp_writer/program.hpp"
#include "troupe/apps/shell/session/session.hpp"

namespace troupe::shell {

namespace {

void write(session& s, std::string_view arguments) {
  const auto words = words_of(arguments);
  if (words.size() != 1) misused("write");
  write_file(words[0], cpp::program_of(s));
  s.reporting().text("    the program is in " + words[0] + "\n");
}

}  // namespace

std::vector<command> write_commands() {
  return {{"write", "Session", "FILE.cpp", "write the inputs so far as a C++ program", write}};
}

}  // namespace troupe::shell
