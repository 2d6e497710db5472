// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/tasks/clock.hpp"
#include "troupe/tests/apps/shell/observed_session.hpp"

using namespace troupe;
using namespace troupe::shell::testing;

TEST_CASE("Ctrl-C ends a loop that waits to submit more") {
  const auto start = now();
  bool pressed = true;
  observed_session s(
      {.engine = {.lanes = 1, .cpu_devices = 1, .memory_limit = 1 << 30, .max_pending = 16},
       .interrupted = [&] { return pressed && seconds_between(start, now()) > 0.3 ? 1 : 0; }});
  s.say(":slow 60s");
  CHECK(s.say("repeat 100 { b = ones(3) }").find("stopped") != std::string::npos);
  CHECK_FALSE(s.good());
  pressed = false;
  s.say(":cancel");
  s.say(":slow off");
  CHECK(s.say("2 + 3") == "5");
  CHECK(seconds_between(start, now()) < 30);
}

TEST_CASE(":step that is left early says after how many messages, and shows the result") {
  int more = 0;
  observed_session s({.engine = {.lanes = 1, .cpu_devices = 1, .memory_limit = 1 << 30},
                      .next_step = [&] { return more-- > 0; }});
  const std::string first = "    1  client to frontend: tasks_submitted\n";
  const auto left = s.say(":step sum(ones(2) + 1)");
  CHECK(left == first +
                    "    stopped after 1 message; the rest goes on without a word\n"
                    "4.0  float32[] on cpu:0");
  more = 1;
  const auto later = s.say(":step sum(ones(2) + 1)");
  CHECK_THAT(later, Catch::StartsWith(first + "    2  frontend to dependency cpu:0") &&
                        Catch::Contains("\n    stopped after 2 messages; the rest goes on"));
  more = 100;
  CHECK_THAT(s.say(":step sum(ones(2) + 1)"), Catch::Contains(", and nobody has more to say"));
}
