// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/apps/shell/lessons/lesson.hpp"
#include "troupe/tests/apps/shell/observed_session.hpp"

using namespace troupe::shell;
using troupe::shell::testing::observed_session;

namespace {

observed_session with_lanes(int lanes) {
  return observed_session(
      {.engine = {.lanes = lanes, .cpu_devices = 1, .memory_limit = std::size_t{1} << 30}});
}

/// Returns the answer to the first input of a lesson that begins with a text, after all inputs
/// before it.
std::string answer_to(observed_session& s, std::size_t lesson, std::string_view input) {
  s.say(":lesson " + std::to_string(lesson));
  while (!s.inner().teacher().suggestion().starts_with(input)) s.say("");
  return s.say("");
}

double number_behind(const std::string& text, const std::string& title) {
  return std::stod(text.substr(text.find(title) + title.size()));
}

}  // namespace

TEST_CASE(
    "every lesson can be gone through with what it suggests, at once, on any number of lanes") {
  const int lanes = GENERATE(1, 2, 4);
  for (std::size_t number = 1; number <= all_lessons().size(); ++number) {
    auto s = with_lanes(lanes);
    s.say(":lesson " + std::to_string(number));
    for (const auto& step : all_lessons()[number - 1].steps) {
      INFO("lesson " << number << " on " << lanes << " lanes: " << step.input);
      const auto answer = s.say("");
      CHECK(answer.find("Not quite yet") == std::string::npos);
      CHECK(answer.find(step.seen) != std::string::npos);
    }
    CHECK(!s.inner().teacher().teaching());
  }
}

TEST_CASE("the overlap factors of independent and of dependent products differ") {
  const int lanes = GENERATE(1, 2, 4);
  auto s = with_lanes(lanes);
  CHECK(number_behind(answer_to(s, 2, "time"), "overlap factor ") > 1.5);
  CHECK(number_behind(answer_to(s, 3, "time"), "overlap factor ") < 1.1);
}

TEST_CASE("a lesson goes on only after its step was done, says what is missing, and can be left") {
  observed_session s;
  CHECK(s.say(":lesson 1").find("Lesson 1: submitting and showing") != std::string::npos);
  CHECK(s.say("1 + 1").find("Not quite yet: no array is named a. Try:  a = uniform(2000, 2000)") !=
        std::string::npos);
  CHECK(s.say("a = nothing").find("Not quite yet: that was a mistake") != std::string::npos);
  CHECK(s.say("a = ones(3)").find("a has a shape already") != std::string::npos);
  s.say(":lesson stop");
  CHECK(s.say("1 + 1") == "2");
  CHECK(s.first_line(":lesson 9").find("a number from 1 to 8") != std::string::npos);
}

TEST_CASE("a lesson begins with the settings that the shell began with") {
  auto s = with_lanes(2);
  s.say(":lanes 4");
  s.say(":slow 50ms");
  s.say("x = ones(2) + 1");
  CHECK(s.say(":lesson 5").find("back to the usual lanes, devices and speed") != std::string::npos);
  CHECK(*s.inner().engine().options().lanes == 2);
  CHECK(s.inner().faults().delay.count() == 0);
  CHECK(s.say("x") ==
        "[2. 2.]  float32[2] on cpu:0\n    Not quite yet: no array is named s. Try:  "
        "s = zeros(1)");
  CHECK(s.say(":lesson 5").find("back to") == std::string::npos);
}

TEST_CASE("a lesson shows the measured time") {
  auto s = with_lanes(2);
  CHECK(
      answer_to(s, 5, "time").find("They travel between the actors in batches. Here each took ") !=
      std::string::npos);
}

TEST_CASE("steps about a command or a speed require it") {
  observed_session s;
  s.say(":lesson 8");
  CHECK(s.say("1 + 1").find("Not quite yet: this is about :actors") != std::string::npos);
  s.say(":lesson 3");
  CHECK(s.say(":slow 300ms add").find("matmul is not made to take that much longer") !=
        std::string::npos);
  s.say("");
  s.say("");
  s.inner().wait_all();
  CHECK(s.say("time { x = a @ a; y = a @ a }").find("no task in it needs the result of another") !=
        std::string::npos);
}
