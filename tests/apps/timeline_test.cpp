// SPDX-License-Identifier: MIT
#include "troupe/apps/timeline.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace troupe;

namespace {

/// Returns the event of a task that ran on a lane from one time to another.
task_event ran(std::string_view name, std::int16_t lane, ticks started, ticks ended,
               std::uint64_t sequence = 1) {
  task_event e;
  e.name = name;
  e.sequence = sequence;
  e.started = 1'000'000 + started;
  e.ended = 1'000'000 + ended;
  e.lane = lane;
  return e;
}

/// Returns the lines of a drawing. Lanes have names of three letters, so rows have five columns
/// less than the width.
std::vector<std::string> drawn(const std::vector<task_event>& events, bool colour = false,
                               int width = 25) {
  trace_log log;
  log.lanes = {"one", "two", "six"};
  log.events = events;
  std::ostringstream out;
  draw_timeline(out, log, {.width = width, .colour = colour});
  std::vector<std::string> lines;
  std::istringstream in(out.str());
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("a timeline has a row for each lane that ran anything") {
  const auto lines = drawn({ran("matmul", 0, 0, 1000), ran("copy", 2, 1000, 2000, 2)});
  CHECK(lines.at(0) == "one  |MMMMMMMMM..........");
  CHECK(lines.at(1) == "six  ..........|CCCCCCCCC");
}

TEST_CASE("the end of a timeline's scale ends with its rows") {
  const auto lines = drawn({ran("matmul", 0, 0, 1000)});
  CHECK(lines.at(1).size() == lines.at(0).size());
  CHECK(lines.at(1).substr(0, 6) == "     0");
}

TEST_CASE("a new task of the same operation shows in a timeline") {
  const auto lines = drawn({ran("add", 0, 0, 1000), ran("add", 0, 1000, 2000, 2)});
  CHECK(lines.at(0) == "one  |AAAAAAAAA|AAAAAAAAA");
  CHECK(text_of(lines).find("A add x 2") != std::string::npos);
}

TEST_CASE("chunks of one task count once in a timeline's legend") {
  CHECK(text_of(drawn({ran("add", 0, 0, 1000, 7), ran("add", 1, 0, 1000, 7)})).find("A add\n") !=
        std::string::npos);
}

TEST_CASE("many short tasks in one column of a timeline add up") {
  std::vector<task_event> events;
  for (ticks i = 0; i < 200; ++i) events.push_back(ran("add", 0, 10 * i, 10 * i + 8, i + 1));
  CHECK(drawn(events).at(0) == "one  AAAAAAAAAAAAAAAAAAAA");
}

TEST_CASE("a column of a timeline that is mostly idle has a small letter") {
  std::vector<task_event> events;
  for (ticks i = 0; i < 20; ++i) events.push_back(ran("add", 0, 100 * i, 100 * i + 20, i + 1));
  events.push_back(ran("sum", 0, 1990, 2000, 21));
  const auto lines = drawn(events);
  CHECK(lines.at(0) == "one  aaaaaaaaaaaaaaaaaaaa");
  CHECK(text_of(lines).find("small letter") != std::string::npos);
}

TEST_CASE("the operation that took most of a column's time names it") {
  CHECK(drawn({ran("add", 0, 0, 30), ran("sum", 0, 30, 100, 2), ran("add", 0, 100, 2000, 3)})
            .at(0)
            .substr(5, 3) == "S|A");
}

TEST_CASE("operations with the same first letter get different letters") {
  const auto text = text_of(
      drawn({ran("sum", 0, 0, 1000), ran("sub", 0, 1000, 2000, 2), ran("s", 0, 2000, 3000, 3)}));
  CHECK(text.find("S sum") != std::string::npos);
  CHECK(text.find("U sub") != std::string::npos);
  CHECK(text.find("A s ") != std::string::npos);
}

TEST_CASE("operations beyond the alphabet share a mark") {
  std::vector<std::string> names;
  for (int i = 0; i < 30; ++i) names.push_back("op" + std::to_string(i));
  std::vector<task_event> events;
  for (std::size_t i = 0; i < names.size(); ++i)
    events.push_back(ran(names[i], 0, 100 * i, 100 * i + 100, i + 1));
  CHECK(text_of(drawn(events)).find("# op29") != std::string::npos);
}

TEST_CASE("a failed task is marked in a timeline") {
  auto bad = ran("take", 0, 500, 600, 2);
  bad.failed = true;
  const auto lines = drawn({ran("add", 0, 0, 500), bad, ran("add", 0, 600, 2000, 3)});
  CHECK(lines.at(0).find('!') == 10);
  CHECK(text_of(lines).find("! failed") != std::string::npos);
}

TEST_CASE("a timeline has escape sequences only where colour is asked for") {
  const std::vector<task_event> events = {ran("add", 0, 0, 1000), ran("sum", 0, 1000, 2000, 2)};
  CHECK(text_of(drawn(events)).find('\033') == std::string::npos);
  CHECK(drawn(events, true).at(0) == "one  |\033[36mAAAAAAAAA\033[0m|\033[33mSSSSSSSSS\033[0m");
}

TEST_CASE("the lines of a timeline's legend are as short as its rows") {
  const std::vector<task_event> events = {ran("matmul", 0, 0, 1000),
                                          ran("transpose", 1, 0, 1000, 2), ran("add", 2, 0, 10, 3)};
  for (const auto& line : drawn(events, false, 40)) CHECK(line.size() <= 40);
}

TEST_CASE("an empty trace has no timeline") {
  CHECK(drawn({}) == std::vector<std::string>{"nothing ran"});
}

TEST_CASE("a task that took no time can be drawn") {
  CHECK(drawn({ran("add", 0, 5, 5)}).at(0).substr(5, 2) == "a.");
}
