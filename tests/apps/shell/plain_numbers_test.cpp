// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <string>

#include "troupe/tests/apps/shell/observed_session.hpp"

using troupe::shell::testing::observed_session;

TEST_CASE("numbers are divided as elements are") {
  observed_session s;
  for (const auto* pair : {"0.5, 0.01", "1., 0.1", "-5., inf", "7., -2.", "-0.3, 0.1", "5., 0."}) {
    s.say(std::string("a, b = ") + pair);
    CHECK(s.say("(a // b) == ([a] // b)[0]") == "True  bool[] on cpu:0");
  }
}

TEST_CASE("a number is a condition") {
  observed_session s;
  CHECK(s.say("where(true, ones(2), zeros(2))") == "[1. 1.]  float32[2] on cpu:0");
  CHECK(s.say("where(0, [1, 2], 3)") == "[3 3]  int64[2] on cpu:0");
}
TEST_CASE("a condition chooses one of two values, and the other is not computed") {
  observed_session s;
  CHECK(s.say("1 if sum([1, 2]) > 3 else 2 if true else 1 // 0") == "2");
  s.say("factorial = n -> 1 if n < 2 else n * factorial(n - 1)");
  CHECK(s.say("factorial(5)") == "120");
  CHECK(s.say("[5, 6][0 if sum([1, 2]) > 3 else 1]") == "6");
  CHECK(s.first_line("1 if [1, 2] else 3").find("has no one truth") != std::string::npos);
}
