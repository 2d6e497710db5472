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
