// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/tests/apps/shell/observed_session.hpp"

namespace troupe::shell::testing {

TEST_CASE(
    ":profile shows the time of each operation since :profile start, or in the latest input") {
  observed_session s;
  s.say("a = exp(ones(3)); wait a");
  CHECK_THAT(s.say(":profile"), Catch::Contains("exp"));
  s.say(":profile start");
  s.say("b = sin(ones(3)); wait b");
  s.say("b = cos(b); wait b");
  for (const auto word : {":profile", ":profile stop"}) {
    const auto table = s.say(word);
    CHECK_THAT(table, Catch::StartsWith("operation  calls"));
    CHECK_THAT(table, Catch::Contains("sin") && Catch::Contains("cos"));
    CHECK_THAT(table, !Catch::Contains("exp"));
  }
  CHECK_THAT(s.say(":profile"), Catch::Contains("cos") && !Catch::Contains("sin"));
  CHECK_THAT(s.say(":profile all"), Catch::Contains("exp") && Catch::Contains("sin"));
  CHECK_THAT(s.say(":profile stop"), Catch::Contains("not started"));
}

TEST_CASE(":bench waits for all arrays in the value, in nested lists too") {
  observed_session s;
  s.say("x = ones(2, 2); wait x");
  s.say(":slow 50ms matmul");
  for (const std::string value : {"x @ x", "[x @ x, \"a\"]", "[[\"a\", [x @ x]], x]"}) {
    INFO(value);
    const auto text = s.say(":bench " + value);
    CHECK_THAT(text, Catch::StartsWith("    median ") && !Catch::Contains(" us"));
    CHECK(s.inner().engine().pending() <= 1);  // its end may not have been counted yet
  }
}

}  // namespace troupe::shell::testing
