// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/apps/shell/lessons/lesson.hpp"
#include "troupe/tests/shell/shell.hpp"

using namespace troupe::shell;
using troupe::shell::testing::shell;

TEST_CASE("every lesson can be gone through with what it suggests") {
  for (std::size_t number = 1; number <= all_lessons().size(); ++number) {
    shell s({.engine = {.lanes = 2, .cpu_devices = 1, .memory_limit = std::size_t{1} << 30}});
    s.say(":lesson " + std::to_string(number));
    for (const auto& step : all_lessons()[number - 1].steps) {
      INFO("lesson " << number << ": " << step.input);
      // What overlaps depends on how busy the machine is: a step that was not seen is tried again.
      std::string answer;
      for (int tries = 0; tries < 20; ++tries) {
        answer = s.say("");
        if (answer.find("Not quite yet") == std::string::npos) break;
      }
      CHECK(answer.find("Not quite yet") == std::string::npos);
      CHECK(answer.find(step.seen) != std::string::npos);
    }
    CHECK(!s.inner().teacher().teaching());
  }
}

TEST_CASE("a lesson goes on only when its step was done, and can be left") {
  shell s;
  CHECK(s.say(":lesson 1").find("Lesson 1: submitting and showing") != std::string::npos);
  CHECK(s.say("1 + 1").find("Not quite yet. Try:  a = uniform(2000, 2000)") != std::string::npos);
  CHECK(s.say("a = ones(3)").find("a has a shape already") != std::string::npos);
  s.say(":lesson stop");
  CHECK(s.say("1 + 1") == "2");
  CHECK(s.first_line(":lesson 9").find("there are lessons 1 to 8") != std::string::npos);
}
