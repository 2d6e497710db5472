// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/sources.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "troupe/tasks/error.hpp"
#include "troupe/tasks/output_file.hpp"

namespace troupe::shell {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

[[noreturn]] void unreadable(const std::string& path, int why) {
  throw error(path + " cannot be read: " + std::generic_category().message(why), {});
}

}  // namespace

std::string read_script(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw error(path + " is a folder", {});
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) unreadable(path, errno);
  std::string text;
  char some[1 << 16];
  do {
    errno = 0;
    in.read(some, sizeof some);
    text.append(some, static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes) throw error(path + " is no script: it has more than 64 MiB", {});
  } while (in);
  if (in.bad()) unreadable(path, errno);
  return text;
}

void write_text_file(const std::string& what, const std::string& path, const std::string& text) {
  output_file out({what.c_str(), path, {}});
  out.write(text);
  out.commit();
}

}  // namespace troupe::shell
