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
