// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/arguments.hpp"

#include <charconv>
#include <set>
#include <stdexcept>

namespace troupe::demo {

namespace {

void add(const std::string& word, const std::vector<std::string>& groups,
         std::vector<int>& numbers) {
  const auto before = numbers.size();
  const int experiments = static_cast<int>(groups.size());
  for (int i = 0; i < experiments; ++i)
    if (!word.empty() && groups[static_cast<std::size_t>(i)] == word) numbers.push_back(i + 1);
  if (numbers.size() != before) return;
  int number = 0;
  const auto* end = word.data() + word.size();
  const auto [stopped, problem] = std::from_chars(word.data(), end, number);
  if (problem != std::errc() || stopped != end || number < 1 || number > experiments) {
    std::string known = "there are 1 to " + std::to_string(experiments);
    for (const auto& name : std::set<std::string>(groups.begin(), groups.end()))
      if (!name.empty()) known += ", and " + name;
    throw std::invalid_argument("no experiment \"" + word + "\": " + known);
  }
  numbers.push_back(number);
}

}  // namespace

arguments parse(const std::vector<std::string>& words, const std::vector<std::string>& groups) {
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
      add(*word, groups, given.numbers);
    }
  }
  if (given.numbers.empty())
    for (std::size_t i = 0; i < groups.size(); ++i)
      given.numbers.push_back(static_cast<int>(i) + 1);
  return given;
}

}  // namespace troupe::demo
