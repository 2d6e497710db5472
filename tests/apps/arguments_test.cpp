// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/arguments.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using namespace troupe::demo;

namespace {

/// Groups of three experiments.
const std::vector<std::string> three = {"", "pair", "pair"};

}  // namespace

TEST_CASE("without numbers the demo runs all experiments in order") {
  CHECK(parse({}, three).numbers == std::vector<int>{1, 2, 3});
  CHECK(parse({"--quick"}, three).numbers == std::vector<int>{1, 2, 3});
}

TEST_CASE("with numbers the demo runs those experiments in the given order") {
  const auto given = parse({"3", "--trace", "run.json", "1"}, three);
  CHECK(given.numbers == std::vector<int>{3, 1});
  CHECK(given.trace_file == "run.json");
  CHECK_FALSE(given.quick);
}

TEST_CASE("the word of a group stands for its experiments") {
  CHECK(parse({"pair", "1"}, three).numbers == std::vector<int>{2, 3, 1});
}

TEST_CASE("a word unknown to the demo is named") {
  for (const std::string word : {"4", "0", "-1", "1x", "", "--fast"}) {
    CAPTURE(word);
    CHECK_THROWS_AS(parse({word}, three), std::invalid_argument);
    CHECK_THROWS_WITH(parse({word}, three), Catch::Contains('"' + word + '"'));
  }
  CHECK_THROWS_WITH(parse({"4"}, three), Catch::Contains("there are 1 to 3, and pair"));
}

TEST_CASE("a trace needs a file") {
  CHECK_THROWS_AS(parse({"--trace"}, three), std::invalid_argument);
}
