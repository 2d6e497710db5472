// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/command_line.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace troupe::shell;

namespace {

using task = command_line::task;
using words = std::vector<std::string>;

command_line parse(const words& given) { return parse_command_line(given); }

/// Returns the error for a command line; empty if there is none.
std::string mistake_in(const words& given) {
  try {
    parse(given);
  } catch (const std::invalid_argument& e) { return e.what(); }
  return "";
}

/// Returns the options and commands that --help names at the beginning of a line.
std::set<std::string> words_of_help() {
  const auto text = help_text();
  const std::regex entry(R"(\n  (?:(-\w),)?(--\w+|[a-z]+) )");
  std::set<std::string> found;
  const auto begin = text.find("\nOptions:");
  const auto end = text.find("\nIn the shell");
  const std::string part = text.substr(begin, end - begin);
  for (std::sregex_iterator i(part.begin(), part.end(), entry), last; i != last; ++i) {
    for (const auto group : {1, 2}) {
      if ((*i)[group].matched) found.insert((*i)[group].str());
    }
  }
  return found;
}

std::string read_without_escapes(const std::string& path) {
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text = std::regex_replace(text, std::regex(R"(\\f[BIR])"), " ");
  text.erase(std::remove(text.begin(), text.end(), '\\'), text.end());
  return text;
}

}  // namespace

TEST_CASE("inputs of -e are taken as they are, whatever they begin with") {
  const auto given = parse({"-e", "-1 + 2", "--eval", "[1, 2, 3]", "-e", "{}", "-e", "", "--json"});
  CHECK(given.what == task::evaluate);
  CHECK(given.inputs == words{"-1 + 2", "[1, 2, 3]", "{}", ""});
  CHECK(given.json);
}

TEST_CASE("a saved program is known by its name or its content, and takes no options but one") {
  const std::string path = "saved_without_ending";
  {
    std::ofstream out(path, std::ios::binary);
    out << std::string("\2\0\0\0\0\0\0\0{}", 10);
  }
  CHECK(parse({"run", path, "x.npy"}).runs_saved_program());
  CHECK(parse({"run", path, "x.npy", "--output", "y.npy"}).output == "y.npy");
  CHECK(mistake_in({"run", path, "x.npy", "--json"}) ==
        "--json: a saved program takes arrays, and --output; other options stand before it");
  CHECK(mistake_in({"run", "p.safetensors", "--quick"}).starts_with("--quick: a saved program"));
  std::filesystem::remove(path);
  CHECK_FALSE(parse({"run", path, "--json"}).runs_saved_program());
}

TEST_CASE("arguments after a script belong to the script") {
  for (const words& front : {words{}, words{"run"}, words{"--"}}) {
    auto given = front;
    for (const auto* word : {"x.tr", "--help", "-e", "run", "--", "[1]"}) given.emplace_back(word);
    const auto parsed = parse(given);
    CHECK(parsed.what == task::run_script);
    CHECK(parsed.file == "x.tr");
    CHECK(parsed.rest == words{"--help", "-e", "run", "--", "[1]"});
  }
  CHECK(parse({"run", "run"}).file == "run");
  CHECK(parse({"--json", "x.tr"}).json);
  CHECK(parse({"-"}).file == "-");
  CHECK(parse({"--", "--weird"}).file == "--weird");
}

TEST_CASE("a saved program's result has a place after its arguments") {
  for (const words& front : {words{}, words{"run"}}) {
    auto given = front;
    for (const auto* word : {"p.safetensors", "x.npy", "--output", "y.npy", "2"})
      given.emplace_back(word);
    const auto parsed = parse(given);
    CHECK(parsed.output == "y.npy");
    CHECK(parsed.rest == words{"x.npy", "2"});
  }
  CHECK(parse({"p.safetensors", "x.npy"}).output.empty());
  CHECK(parse({"x.tr", "--output", "y.npy"}).rest == words{"--output", "y.npy"});
  CHECK(mistake_in({"run", "p.safetensors", "--output"}) == "--output: 1 required FILE missing");
  CHECK(mistake_in({"run", "--json", "p.safetensors"}) ==
        "troupe run wants a script or a program, not --json: options stand before run");
}

TEST_CASE("arguments after demo, bench and node belong to them") {
  for (const std::string program : {"demo", "bench", "node"}) {
    const auto given = parse({program, "--help", "-h", "--trace", "f", "demo", "--nonsense"});
    CHECK(given.what == task::start);
    CHECK(given.file == "troupe-" + program);
    CHECK(given.rest == words{"--help", "-h", "--trace", "f", "demo", "--nonsense"});
  }
}

TEST_CASE("each command and option is known") {
  CHECK(parse({}).what == task::converse);
  CHECK(parse({"--json"}).json);
  CHECK(parse({"repl"}).what == task::converse);
  CHECK(parse({"devices"}).what == task::list_devices);
  CHECK(parse({"ops"}).what == task::list_operations);
  CHECK_FALSE(parse({"ops"}).markdown);
  CHECK(parse({"ops", "--markdown"}).markdown);
  CHECK(parse({"program", "a.safetensors", "--svg", "a.svg"}).rest ==
        std::vector<std::string>{"a.svg"});
  CHECK(parse({"--version"}).what == task::version);
  for (const std::string help : {"-h", "--help"}) {
    CHECK(parse({help}).what == task::help);
    for (const std::string command : {"repl", "run", "devices", "ops", "program"})
      CHECK(parse({command, help}).what == task::help);
  }
}

TEST_CASE("a mistake on the command line is one line") {
  CHECK(mistake_in({"--nonsense"}) == "no option \"--nonsense\"; troupe --help lists them");
  CHECK(mistake_in({"-x", "run", "a.tr"}) == "no option \"-x\"; troupe --help lists them");
  CHECK(mistake_in({"-e"}) == "--eval: 1 required INPUT missing");
  CHECK(mistake_in({"-e", "1", "x.tr"}) == "-e and x.tr do not go together");
  CHECK(mistake_in({"-e", "1", "run", "x.tr"}) == "-e and run do not go together");
  CHECK(mistake_in({"run"}) == "troupe run wants a script or a program");
  CHECK(mistake_in({"program"}) == "troupe program wants a file, and --svg with another");
  CHECK(mistake_in({"program", "a.safetensors", "b"}) ==
        "troupe program wants a file, and --svg with another");
  CHECK(mistake_in({"devices", "all"}) == "troupe devices takes nothing, not all");
  CHECK(mistake_in({"repl", "--json"}) == "troupe repl takes nothing, not --json");
  CHECK(mistake_in({"ops", "--text"}) == "troupe ops takes --markdown or nothing, not --text");
}

TEST_CASE("the manual page and bash's completion know what --help names") {
  const auto named = words_of_help();
  CHECK(named == std::set<std::string>{"-e", "--eval", "--json", "--version", "-h", "--help",
                                       "repl", "run", "demo", "bench", "node", "devices", "ops",
                                       "program"});
  for (const std::string file : {"troupe.1", "troupe.bash"}) {
    const auto text = read_without_escapes(TROUPE_DOCUMENTS "/../apps/shell/share/" + file);
    for (const auto& word : named) {
      INFO(file << ": " << word);
      CHECK(std::regex_search(text, std::regex("(^|[^a-z-])" + word + "($|[^a-z-])")));
    }
  }
}
