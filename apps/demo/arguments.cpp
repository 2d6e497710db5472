// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/arguments.hpp"

#include <charconv>
#include <set>
#include <stdexcept>

#include "troupe/apps/environment_text.hpp"
#include "troupe/apps/parse_words.hpp"

namespace troupe::demo {

namespace {

/// Options of the program; all other words are experiments.
struct grammar {
  CLI::App app{"", "troupe-demo"};
  CLI::Option* quick = app.add_flag("--quick")->description("smaller sizes: the figures say less");
  CLI::Option* trace =
      app.add_option("--trace")
          ->type_name("FILE")
          ->description(
              "save what ran in Chrome's trace format; of several experiments,\n"
              "one file each, named FILE with the experiment's number")
          ->check([](const std::string& file) { return file.empty() ? "needs a file's name" : ""; })
          ->take_last();
  CLI::Option* chosen = app.add_option("n")->allow_extra_args()->take_all();
  CLI::Option* help = app.set_help_flag("-h,--help", "this text");
};

void add(const std::string& word, std::span<const experiment> known, std::vector<int>& numbers) {
  const auto before = numbers.size();
  const int experiments = static_cast<int>(known.size());
  std::set<std::string> groups;
  for (int i = 0; i < experiments; ++i) {
    const std::string group = known[static_cast<std::size_t>(i)].group;
    if (group.empty()) continue;
    groups.insert(group);
    if (group == word) numbers.push_back(i + 1);
  }
  if (numbers.size() != before) return;
  int number = 0;
  const auto* end = word.data() + word.size();
  const auto [stopped, problem] = std::from_chars(word.data(), end, number);
  if (problem != std::errc() || stopped != end || number < 1 || number > experiments) {
    std::string all = "there are 1 to " + std::to_string(experiments);
    for (const auto& group : groups) all += ", " + group;
    throw std::invalid_argument("no experiment \"" + word + "\": " + all);
  }
  numbers.push_back(number);
}

}  // namespace

arguments parse(const std::vector<std::string>& words, std::span<const experiment> known) {
  grammar expected;
  arguments given;
  given.help = !parse_words(expected.app, words);
  if (given.help) return given;
  given.quick = expected.quick->count() > 0;
  if (expected.trace->count() > 0) given.trace_file = expected.trace->results().back();
  for (const auto& word : expected.chosen->results()) add(word, known, given.numbers);
  if (given.numbers.empty()) {
    for (int number = 1; number <= static_cast<int>(known.size()); ++number)
      given.numbers.push_back(number);
  }
  return given;
}

std::string help_text(std::span<const experiment> known) {
  std::string text =
      "Usage: troupe-demo [--quick] [--trace FILE] [n...]\n\n"
      "Shows what runs when, with figures measured on this machine. Runs all experiments, or those "
      "with\nthe numbers n, or those of a group:\n\n";
  int number = 0;
  for (const auto& e : known) {
    ++number;
    text += (number < 10 ? "   " : "  ") + std::to_string(number) + "  " + e.title;
    text += *e.group ? " (" + std::string(e.group) + ")\n" : "\n";
  }
  return text + options_help(grammar().app) + "\n" + environment_help(readers::all_programs);
}

}  // namespace troupe::demo
