// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>

#include "troupe/apps/shell/command_line.hpp"
#include "troupe/tests/apps/shell/observed_session.hpp"
#include "troupe/tests/temporary_folder.hpp"

// Transcripts are files of inputs, each behind "> " (further lines behind ". "), and the shell's
// output. Durations are written as <time>, and the progress of tasks as <state>, since they differ
// from run to run.

namespace {

using troupe::shell::operations_markdown;
using troupe::shell::testing::observed_session;

std::string masked(std::string text) {
  static const std::regex states(R"((, |state +)(ready|queued|running|failed)[^\n]*)");
  static const std::regex durations(R"(\d+(\.\d+)? (ns|us|ms|s)\b)");
  static const std::regex waited(R"(\n    waited <time>)");
  static const std::regex factors(R"(overlap factor \d+\.\d+)");
  static const std::regex lanes(R"(on \d+ lanes?, )"), sizes(R"(\d+\.\d [KMG]iB|\d+ B(?= in use))");
  static const std::regex share(R"(  \d+ lanes?, )");            // of the cores that there are
  static const std::regex how(", (compiled|block by block)\n");  // as the build and the CPU have it
  text = std::regex_replace(text, how, "\n");
  text = std::regex_replace(text, lanes, "on <lanes>, ");
  text = std::regex_replace(text, share, "  <lanes>, ");
  text = std::regex_replace(text, sizes, "<size>");
  text = std::regex_replace(text, durations, "<time>");
  text = std::regex_replace(text, waited, "");
  text = std::regex_replace(text, factors, "overlap factor <factor>");
  return std::regex_replace(text, states, "$1<state>");
}

std::string unmasked(std::string text) { return text; }

/// Runs the inputs of a transcript and returns the transcript of this run.
std::string replay(std::istream& in, std::string (*mask)(std::string) = masked) {
  observed_session s;
  s.report().set_chatty(true);
  std::string out, line, input;
  bool open = false;
  const auto run = [&] {
    if (!open) return;
    open = false;
    const auto answer = mask(s.say(input));
    if (!answer.empty()) out += answer + "\n";
  };
  while (std::getline(in, line)) {
    if (line.starts_with("> ")) {
      run();
      input = line.substr(2);
      open = true;
      out += line + "\n";
    } else if (open && line.starts_with(". ")) {
      input += "\n" + line.substr(2);
      out += line + "\n";
    } else if (line.starts_with("#")) {
      run();
      out += line + "\n";
    }
  }
  run();
  return out;
}

/// Folder with copies of files, in which sessions run while it exists.
class working_folder {
 public:
  explicit working_folder(const std::filesystem::path& file) {
    std::filesystem::copy(file, folder_ / file.filename().string());
    std::filesystem::current_path(folder_.path());
  }
  working_folder(const working_folder&) = delete;
  working_folder& operator=(const working_folder&) = delete;
  ~working_folder() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  troupe::testing::temporary_folder folder_;
};

}  // namespace

TEST_CASE("sessions read as their transcripts say") {
  // TROUPE_TRANSCRIPTS_UPDATE=1 writes them anew, to be read before they are committed.
  const bool update = std::getenv("TROUPE_TRANSCRIPTS_UPDATE") != nullptr;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TROUPE_TRANSCRIPTS)) {
    INFO(entry.path().filename().string());
    std::ifstream in(entry.path());
    const std::string expected{std::istreambuf_iterator<char>(in), {}};
    std::istringstream again(expected);
    const auto actual = replay(again);
    CHECK(actual == expected);
    if (update) std::ofstream(entry.path()) << actual;
    ++count;
  }
  CHECK(count >= 4);
}

TEST_CASE("the sessions in the documents show what happens") {
  // TROUPE_TRANSCRIPTS_UPDATE=1 writes those anew that differ, to be read before they are
  // committed.
  const bool update = std::getenv("TROUPE_TRANSCRIPTS_UPDATE") != nullptr;
  const working_folder with_files(TROUPE_DOCUMENTS "/tutorial/cars.csv");
  std::vector<std::filesystem::path> paths{TROUPE_DOCUMENTS "/../README.md"};
  for (const auto& one : std::filesystem::recursive_directory_iterator(TROUPE_DOCUMENTS)) {
    if (one.path().extension() == ".md") paths.push_back(one.path());
  }
  const std::string fence = "```troupe\n";
  std::size_t count = 0;
  for (const auto& path : paths) {
    INFO(path.string());
    auto page = troupe::testing::bytes_in(path);
    for (auto at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
      at += fence.size();
      const auto block = page.substr(at, page.find("```", at) - at);
      std::istringstream inputs(block), again(block);
      const auto actual = replay(inputs);
      CHECK(actual == masked(block));
      if (update && actual != masked(block))
        page.replace(at, block.size(), replay(again, unmasked));
      ++count;
    }
    if (update) std::ofstream(path) << page;
  }
  CHECK(count >= 30);
}

TEST_CASE("the shell understands its phrases in the phrasebook") {
  const auto page = troupe::testing::bytes_in(TROUPE_DOCUMENTS "/phrasebook.md");
  std::smatch found;
  REQUIRE(std::regex_search(page, found, std::regex("```troupe\n((> [^\n]*\n)+)```")));
  std::istringstream given(found[1].str()), lines(page);
  observed_session s;
  std::vector<std::string> declared;
  for (std::string line; std::getline(given, line);) declared.push_back(line.substr(2));
  // The last column but one of tables with four and more.
  static const std::regex row(R"(\|[^|]*\|[^|]*\|.* `([^`|]*)` \| `[^`|]*` \|)");
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (std::ranges::count(line, '|') < 5 || !std::regex_match(line, found, row)) continue;

    for (const auto& one : declared) s.say(one);
    INFO(found[1].str());
    const auto answer = s.say(found[1].str());
    INFO(answer);
    CHECK(s.good());
    ++count;
  }
  CHECK(count > 100);
}

TEST_CASE("the list of functions in the documents is up to date") {
  // build/release/bin/troupe ops --markdown > docs/operations.md
  std::ifstream in(TROUPE_DOCUMENTS "/operations.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK(page == operations_markdown());
}
