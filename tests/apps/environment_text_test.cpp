// SPDX-License-Identifier: MIT
#include "troupe/apps/environment_text.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "troupe/actors/option_table.hpp"

using namespace troupe;

namespace {

/// Part of a file that is made from the table of options.
struct generated_part {
  std::string path;
  std::string begin;      ///< the text that it begins with
  std::string following;  ///< the text that follows its last line
  std::string expected;
};

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("the README, the page on GPUs and the manual page say what the table of options says") {
  // TROUPE_DOCUMENTS_UPDATE=1 writes them anew, to be read before they are committed.
  const generated_part parts[] = {
      {TROUPE_SOURCES "/README.md", "| variable | option |", "\n", options_markdown()},
      {TROUPE_SOURCES "/docs/gpu.md", "| variable | option |", "\n", options_markdown("GPU")},
      {TROUPE_SOURCES "/apps/shell/share/troupe.1", ".SH ENVIRONMENT", ".SH", environment_manual()},
  };
  for (const auto& part : parts) {
    INFO(part.path);
    auto text = read(part.path);
    const auto begin = text.find(part.begin);
    REQUIRE(begin != std::string::npos);
    const auto end = text.find("\n" + part.following, begin);
    REQUIRE(end != std::string::npos);
    CHECK(text.substr(begin, end + 1 - begin) == part.expected);
    if (std::getenv("TROUPE_DOCUMENTS_UPDATE") == nullptr) continue;
    text.replace(begin, end + 1 - begin, part.expected);
    std::ofstream(part.path, std::ios::binary) << text;
  }
}

TEST_CASE("--help names every variable, in lines of at most 100 columns") {
  for (const auto who : {readers::all_programs, readers::shell}) {
    const auto help = environment_help(who);
    CHECK(help.find("  NO_COLOR ") != std::string::npos);
    CHECK((help.find("  TROUPE_HISTORY ") != std::string::npos) == (who == readers::shell));
    for (const auto& row : all_options()) {
      INFO(row.variable);
      CHECK(help.find("\n  " + std::string(row.variable) + "  ") != std::string::npos);
    }
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
  }
}
