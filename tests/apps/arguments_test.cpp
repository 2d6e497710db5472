// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/arguments.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using namespace troupe::demo;

TEST_CASE("without numbers the demo runs all experiments in order") {
  CHECK(parse({}, 3).numbers == std::vector<int>{1, 2, 3});
  CHECK(parse({"--quick"}, 3).numbers == std::vector<int>{1, 2, 3});
}

TEST_CASE("with numbers the demo runs those, as they are given") {
  const auto given = parse({"3", "--trace", "run.json", "1"}, 3);
  CHECK(given.numbers == std::vector<int>{3, 1});
  CHECK(given.trace_file == "run.json");
  CHECK_FALSE(given.quick);
}

TEST_CASE("a word that the demo does not know is named") {
  for (const std::string word : {"4", "0", "-1", "1x", "", "--fast"}) {
    CAPTURE(word);
    CHECK_THROWS_AS(parse({word}, 3), std::invalid_argument);
    CHECK_THROWS_WITH(parse({word}, 3), Catch::Contains('"' + word + '"'));
  }
}

TEST_CASE("a trace needs a file") { CHECK_THROWS_AS(parse({"--trace"}, 3), std::invalid_argument); }
