// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/arguments.hpp"

#include <charconv>
#include <optional>

#include "troupe/apps/environment_text.hpp"
#include "troupe/apps/parse_words.hpp"

namespace troupe::bench {

namespace {

std::optional<int> parse_rounds(const std::string& text) {
  int rounds = 0;
  const auto* end = text.data() + text.size();
  const auto [stopped, fault] = std::from_chars(text.data(), end, rounds);
  if (fault != std::errc() || stopped != end || rounds < 1 || rounds > 1000) return std::nullopt;
  return rounds;
}

std::string check_rounds(const std::string& text) {
  return parse_rounds(text) ? "" : "takes a number from 1 to 1000, not \"" + text + '"';
}

/// Options of the program; all other words are names of cases.
struct grammar {
  CLI::App app{"", "troupe-bench"};
  CLI::Option* list = app.add_flag("--list")->description("the names");
  CLI::Option* rounds =
      app.add_option("--rounds")
          ->type_name("N")
          ->description("how often each is measured: 5, with busy_1 and busy_2 20")
          ->check(check_rounds)
          ->take_last();
  CLI::Option* markdown = app.add_flag("--markdown")->description("print the table for a document");
  CLI::Option* no_sync =
      app.add_flag("--no-sync")->description("leave out the synchronous runtime");
  CLI::Option* answer =
      app.add_option("--answer")->group("")->check(CLI::IsMember({"asynchronous", "synchronous"}));
  CLI::Option* names = app.add_option("name")->allow_extra_args()->take_all();
  CLI::Option* help = app.set_help_flag("-h,--help", "this text");
};

}  // namespace

arguments parse(const std::vector<std::string>& words) {
  grammar expected;
  arguments given;
  given.help = !parse_words(expected.app, words);
  if (given.help) return given;
  given.list = expected.list->count() > 0;
  given.markdown = expected.markdown->count() > 0;
  if (expected.rounds->count() > 0) given.rounds = parse_rounds(expected.rounds->results().back());
  given.synchronous = expected.no_sync->count() == 0;
  if (expected.answer->count() > 0) given.answers = expected.answer->results().back();
  given.names = expected.names->results();
  return given;
}

std::string help_text() {
  return "Usage: troupe-bench [OPTION...] [NAME...]\n\n"
         "Measures troupe, its synchronous runtime (TROUPE_SYNC=1) and others on the same work, "
         "in\n"
         "turns. Without names: all of it.\n"
         "The name gpu stands for all that need a GPU.\n" +
         options_help(grammar().app) + "\n" + environment_help(readers::all_programs);
}

}  // namespace troupe::bench
