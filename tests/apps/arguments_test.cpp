// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "troupe/apps/bench/arguments.hpp"
#include "troupe/apps/bench/row.hpp"
#include "troupe/apps/demo/arguments.hpp"

using namespace troupe;
using demo::experiment;

namespace {

using words = std::vector<std::string>;
using numbers = std::vector<int>;

constexpr experiment three[] = {
    {"Alone", nullptr}, {"First of two", nullptr, "pair"}, {"Second of two", nullptr, "pair"}};

demo::arguments parse_demo(const words& given) { return demo::parse(given, three); }

/// Returns the error for a command line; empty if there is none.
template <class Parse>
std::string mistake(Parse&& parse, const words& given) {
  try {
    parse(given);
  } catch (const std::invalid_argument& e) { return e.what(); }
  return "";
}

}  // namespace

TEST_CASE("without numbers the demo runs all experiments in order") {
  CHECK(parse_demo({}).numbers == numbers{1, 2, 3});
  CHECK(parse_demo({"--quick"}).numbers == numbers{1, 2, 3});
  CHECK(parse_demo({"--quick"}).quick);
}

TEST_CASE("with numbers the demo runs those experiments in the given order") {
  const auto given = parse_demo({"3", "--trace", "run.json", "1"});
  CHECK(given.numbers == numbers{3, 1});
  CHECK(given.trace_file == "run.json");
  CHECK_FALSE(given.quick);
  CHECK(parse_demo({"--trace", "--quick", "1"}).trace_file == "--quick");
  CHECK(parse_demo({"--trace", "a", "--trace", "b"}).trace_file == "b");
  CHECK(parse_demo({"--quick", "--quick", "--", "2"}).numbers == numbers{2});
}

TEST_CASE("the word of a group stands for its experiments") {
  CHECK(parse_demo({"pair", "1"}).numbers == numbers{2, 3, 1});
}

TEST_CASE("a word unknown to the demo is named") {
  for (const std::string word : {"4", "0", "-1", "1x", "", "--fast", "-x", "{}"}) {
    CAPTURE(word);
    CHECK_THAT(mistake(parse_demo, {"1", word}), Catch::Contains('"' + word + '"'));
  }
  CHECK(mistake(parse_demo, {"4"}) == "no experiment \"4\": there are 1 to 3, pair");
  CHECK(mistake(parse_demo, {"--fast"}) == "no option \"--fast\"; troupe-demo --help lists them");
}

TEST_CASE("a trace needs a file") {
  CHECK(mistake(parse_demo, {"--trace"}) == "--trace: 1 required FILE missing");
  CHECK(mistake(parse_demo, {"--trace", ""}) == "--trace: needs a file's name");
}

TEST_CASE("the benchmarks' options have values of their own, and all else are names") {
  const auto none = bench::parse({});
  CHECK(!none.rounds);
  CHECK(none.synchronous);
  CHECK_FALSE((none.list || none.markdown || none.help || none.answers));
  const auto given = bench::parse({"train", "--rounds", "3", "--markdown", "lenet", "--list"});
  CHECK(given.names == words{"train", "lenet"});
  CHECK(given.rounds == 3);
  CHECK((given.markdown && given.list));
  CHECK_FALSE(bench::parse({"--no-sync"}).synchronous);
  CHECK(bench::parse({"--rounds", "3", "--rounds", "1000"}).rounds == 1000);
}

TEST_CASE("a mistake on the benchmarks' command line is one clear line") {
  for (const std::string rounds : {"0", "1001", "-1", "many", "3x", "", "99999999999"}) {
    CHECK(mistake(bench::parse, {"--rounds", rounds}) ==
          "--rounds: takes a number from 1 to 1000, not \"" + rounds + '"');
  }
  CHECK(mistake(bench::parse, {"--rounds"}) == "--rounds: 1 required N missing");
  CHECK(mistake(bench::parse, {"--fast"}) ==
        "no option \"--fast\"; troupe-bench --help lists them");
}

TEST_CASE("--help of both programs names their options, and the environment") {
  for (const auto* option : {"-h", "--help"}) {
    CHECK(parse_demo({"--quick", option}).help);
    CHECK(bench::parse({option}).help);
  }
  const auto of_demo = demo::help_text(three);
  for (const auto* part :
       {"--quick", "--trace FILE", "--help", "2  First of two (pair)", "TROUPE_LANES"})
    CHECK_THAT(of_demo, Catch::Contains(part));
  for (const auto* part :
       {"--list", "--rounds N", "--no-sync", "--markdown", "--help", "TROUPE_LANES"})
    CHECK_THAT(bench::help_text(), Catch::Contains(part));
}

TEST_CASE("the list of benchmarks has room for the longest name") {
  const bench::bench_case cases[] = {{.name = "short", .title = "one"},
                                     {.name = "a_name_longer_than_any_other", .title = "two"}};
  const bench::bench_case* const all[] = {&cases[0], &cases[1]};
  CHECK(bench::list_text(all) ==
        "short                         one\n"
        "a_name_longer_than_any_other  two\n");
  CHECK(bench::list_text({}) == "");
}
