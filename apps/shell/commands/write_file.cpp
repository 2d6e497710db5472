// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/write_file.hpp"

#include <fstream>

#include "troupe/tasks/error.hpp"

namespace troupe::shell {

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw error(path + " cannot be written", {});
}

}  // namespace troupe::shell
