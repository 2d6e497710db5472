// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/cpp_writer/writer.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/session/sources.hpp"

namespace troupe::shell {

namespace {

void write(session& s, const command_input& given) {
  write_text_file("write", given.text(), cpp::program_of(s));
  s.reporting().text("    the program is in " + given.text() + "\n");
}

}  // namespace

std::vector<command> write_commands() {
  return {{"write",
           "Session",
           {{"FILE.cpp", argument_kind::file}},
           "write the inputs so far as a C++ program",
           write}};
}

}  // namespace troupe::shell
