// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <string>

#include "troupe/tests/apps/shell/observed_session.hpp"

using troupe::shell::testing::observed_session;

TEST_CASE("x.at[k] gives arrays that differ in a part, and sees each of several positions") {
  observed_session s;
  s.say("a = zeros(3);");
  CHECK(s.say("a.at[1].set(5)") == "[0. 5. 0.]  float32[3] on cpu:0");
  CHECK(s.say("a.at[[0, 0, 2]].add([1, 2, 3])") == "[3. 0. 3.]  float32[3] on cpu:0");
  CHECK(s.say("(a + 3).at[[0, 0]].mul(2)") == "[12.  3.  3.]  float32[3] on cpu:0");
  CHECK(s.say("a.at[1:].max(1)") == "[0. 1. 1.]  float32[3] on cpu:0");
  CHECK(s.say("a.at[...].min(-1)") == "[-1. -1. -1.]  float32[3] on cpu:0");
  CHECK(s.say("a.at[a < 1].add(2)") == "[2. 2. 2.]  float32[3] on cpu:0");
  CHECK(s.say("[1, 2].at[0].add(1)") == "[2 2]  int64[2] on cpu:0");
  CHECK(s.say("a") == "[0. 0. 0.]  float32[3] on cpu:0");
  CHECK(s.say("grad(x -> sum(x.at[[0, 0]].add(x[1:])))(a)") == "[1. 2. 2.]  float32[3] on cpu:0");
  CHECK(s.say("compile(x -> x.at[0].add(1))(a)") == "[1. 0. 0.]  float32[3] on cpu:0");
  CHECK(s.first_line("a.at[0].twice(1)").find(".twice is nothing that x.at[...] does") !=
        std::string::npos);
  CHECK(s.first_line("a.at[0].add()").find("x.at[...].add takes one array or number") !=
        std::string::npos);
  CHECK(s.first_line("a.at[7].add(1)").find("7 is out of range for axis 0") != std::string::npos);
}

TEST_CASE("arrays that belong together are given in a row or in a list") {
  observed_session s;
  s.say("x = arange(2);");
  for (const char* call : {"(x, x)", "([x, x])", "([[0, 1], [0, 1]])", "([0, 1], [0, 1])"}) {
    CHECK(s.say("meshgrid" + std::string(call) + "[1]") == "[[0 0]\n [1 1]]  int64[2,2] on cpu:0");
    CHECK(s.say("broadcast_arrays" + std::string(call) + "[1]") == "[0 1]  int64[2] on cpu:0");
  }
  CHECK(s.say("meshgrid(x, x, indexing=\"ij\")[0]") == "[[0 0]\n [1 1]]  int64[2,2] on cpu:0");
  CHECK(s.say("meshgrid([x, x], \"ij\")[0]") == "[[0 0]\n [1 1]]  int64[2,2] on cpu:0");
  CHECK(s.say("pad([1, 2], 1, mode=\"edge\")") == "[1 1 2 2]  int64[4] on cpu:0");
  CHECK(s.first_line("pad([1, 2], 1, mode=\"x\")")
            .find("the mode is constant, edge, reflect, symmetric or wrap, not x") !=
        std::string::npos);
}

TEST_CASE("compiled functions follow arrays that they read numbers of") {
  observed_session s;
  s.say("n = [2, 3]; v = compile(x -> reshape(x, n)); repeat 6 { v(arange(6)) }; n = [3, 2];");
  CHECK(s.say("v(arange(6)).shape") == "[3, 2]");
  s.say("m = array(3); w = compile(x -> sum(x) if m > 2 else prod(x)); repeat 5 { w([1, 2, 4]) };");
  CHECK(s.say("m = array(1); w([1, 2, 4])") == "8  int64[] on cpu:0");
}
