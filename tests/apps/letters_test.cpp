// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <filesystem>
#include <stdexcept>

#include "troupe/apps/letters/alphabet.hpp"
#include "troupe/apps/letters/arguments.hpp"
#include "troupe/tests/temporary_folder.hpp"

using namespace troupe;

namespace {

/// Returns what a function throws; empty if it throws nothing.
template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const std::exception& e) { return e.what(); }
  return "";
}

std::string refused(const std::vector<std::string>& given) {
  return refusal([&] { letters::parse(given); });
}

}  // namespace

TEST_CASE("letters are numbered by their codes, and come back as they were") {
  const letters::alphabet some(
      "baß\xff"
      "cab");
  CHECK(some.codes() == std::vector<std::int64_t>{'a', 'b', 'c', 0xDF, 0xDCFF});
  CHECK(some.numbers_of("cß\xff") == std::vector<std::int64_t>{2, 3, 4});
  std::string text;
  for (const auto number : letters::alphabet(some.codes()).numbers_of("a\xffß"))
    text += some.letter(number);
  CHECK(text == "a\xffß");
  CHECK(refusal([&] { some.numbers_of("d"); }) == "\"d\" is no letter of the text that was learnt");
}

TEST_CASE("the text of a directory is that of its files in order, without links") {
  const testing::temporary_folder folder;
  testing::put_bytes(folder / "b", "second");
  testing::put_bytes(folder / "a", "first");
  std::filesystem::create_symlink("a", folder / "c");
  std::filesystem::create_directory(folder / "empty");
  CHECK(letters::read_text(folder.path()) == "first\nsecond\n");
  CHECK(letters::read_text(folder / "c") == "first");
  CHECK(refusal([&] { letters::read_text(folder / "empty"); }) ==
        "there are no files in \"" + folder / "empty" + "\"");
  CHECK(refusal([&] { letters::read_text(folder / "none"); }) ==
        "cannot read \"" + folder / "none" + "\"");
}

TEST_CASE("the options of troupe-letters are read, and mistakes are named") {
  const auto given = letters::parse({"--steps", "5", "--load", "f", "--temperature", "0"});
  CHECK(given.steps == 5);
  CHECK(given.load == "f");
  CHECK(given.sampling.temperature == 0);
  CHECK_FALSE(letters::parse({}).steps);
  CHECK(letters::parse({"--help"}).help);
  CHECK(refused({"--speed"}) == "no option \"--speed\"; troupe-letters --help lists them");
  CHECK(refused({"--heads", "3"}) == "--width 128 is no multiple of --heads 3");
  CHECK(refused({"--prompt", ""}) == "--prompt: needs a letter");
  CHECK(refused({"--top-p", "2"}).find("--top-p") == 0);
  CHECK(refused({"--steps", "many"}).find("--steps") != std::string::npos);
  CHECK(letters::help_text().find("--top-k N") != std::string::npos);
}
