// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/arguments.hpp"

#include <charconv>
#include <stdexcept>

namespace troupe::bench {

const char* const usage =
    "Usage: troupe-bench [options] [name...]\n"
    "\n"
    "Measures troupe beside others on the same work, in turns. Without names: all of it.\n"
    "The name gpu stands for all that need a GPU.\n"
    "\n"
    "  --list        the names\n"
    "  --rounds N    how often each is measured: 5\n"
    "  --markdown    print the table for a document\n"
    "  --help        this text\n";

namespace {

int parse_rounds(const std::string& text) {
  int rounds = 0;
  const auto end = text.data() + text.size();
  const auto [stopped, fault] = std::from_chars(text.data(), end, rounds);
  if (fault != std::errc() || stopped != end || rounds < 1 || rounds > 1000)
    throw std::invalid_argument("--rounds takes a number from 1 to 1000, not \"" + text + "\"");
  return rounds;
}

}  // namespace

arguments parse(int argc, const char* const* argv) {
  arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") a.help = true;
    else if (word == "--list") a.list = true;
    else if (word == "--markdown") a.markdown = true;
    else if (word == "--rounds") a.rounds = parse_rounds(i + 1 < argc ? argv[++i] : "");
    else if (word.starts_with("-"))
      throw std::invalid_argument("no option " + word + "; see --help");
    else a.names.push_back(word);
  }
  return a;
}

}  // namespace troupe::bench
