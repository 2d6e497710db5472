// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/arguments.hpp"

#include <charconv>
#include <stdexcept>

namespace troupe::demo {

namespace {

int number_of(const std::string& word, int experiments) {
  int number = 0;
  const auto* end = word.data() + word.size();
  const auto [stopped, problem] = std::from_chars(word.data(), end, number);
  if (problem != std::errc() || stopped != end || number < 1 || number > experiments)
    throw std::invalid_argument("no experiment \"" + word + "\": there are 1 to " +
                                std::to_string(experiments));
  return number;
}

}  // namespace

arguments parse(const std::vector<std::string>& words, int experiments) {
  arguments given;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (*word == "--help" || *word == "-h") {
      given.help = true;
    } else if (*word == "--quick") {
      given.quick = true;
    } else if (*word == "--trace") {
      if (++word == words.end() || word->empty())
        throw std::invalid_argument("--trace needs the name of a file");
      given.trace_file = *word;
    } else if (word->starts_with("-")) {
      throw std::invalid_argument("no option \"" + *word +
                                  "\": there are --help, --quick and --trace FILE");
    } else {
      given.numbers.push_back(number_of(*word, experiments));
    }
  }
  if (given.numbers.empty())
    for (int i = 1; i <= experiments; ++i) given.numbers.push_back(i);
  return given;
}

}  // namespace troupe::demo
