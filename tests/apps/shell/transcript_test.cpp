// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>

#include "troupe/apps/shell/command_line.hpp"
#include "troupe/tests/apps/shell/shell.hpp"

// Transcripts are files of inputs, each behind "> " (further lines behind ". "), and the shell's
// output. Durations are written as <time>, and the progress of tasks as <state>, since they differ
// from run to run.

namespace {

using troupe::shell::operations_markdown;
using troupe::shell::testing::shell;

std::string masked(std::string text) {
  static const std::regex states(R"((, |state +)(ready|queued|running|failed)[^\n]*)");
  static const std::regex durations(R"(\d+(\.\d+)? (ns|us|ms|s)\b)");
  static const std::regex waited(R"(\n    waited <time>)");
  static const std::regex factors(R"(overlap factor \d+\.\d+)");
  static const std::regex lanes(R"(on \d+ lanes?, )"), sizes(R"(\d+\.\d [KMG]iB|\d+ B(?= in use))");
  static const std::regex how(", (compiled|block by block)\n");  // as the build and the CPU have it
  text = std::regex_replace(text, how, "\n");
  text = std::regex_replace(text, lanes, "on <lanes>, ");
  text = std::regex_replace(text, sizes, "<size>");
  text = std::regex_replace(text, durations, "<time>");
  text = std::regex_replace(text, waited, "");
  text = std::regex_replace(text, factors, "overlap factor <factor>");
  return std::regex_replace(text, states, "$1<state>");
}

/// Runs the inputs of a transcript and returns the transcript of this run.
std::string replay(std::istream& in) {
  shell s;
  s.report().set_chatty(true);
  std::string out, line, input;
  bool open = false;
  const auto run = [&] {
    if (!open) return;
    open = false;
    const auto answer = masked(s.say(input));
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
  const auto* path = GENERATE(TROUPE_DOCUMENTS "/shell.md", TROUPE_DOCUMENTS "/autograd.md",
                              TROUPE_DOCUMENTS "/../README.md");
  INFO(path);
  std::ifstream in(path);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::string fence = "```troupe\n";
  std::size_t count = 0;
  for (auto at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    const auto block = page.substr(at, page.find("```", at) - at);
    std::istringstream inputs(block);
    CHECK(replay(inputs) == masked(block));
    ++count;
  }
  CHECK(count >= 1);
}

TEST_CASE("the list of functions in the documents is up to date") {
  // build/release/bin/troupe ops --markdown > docs/operations.md
  std::ifstream in(TROUPE_DOCUMENTS "/operations.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK(page == operations_markdown());
}
