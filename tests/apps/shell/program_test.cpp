// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "troupe/tests/apps/shell/pseudo_terminal.hpp"

// The program itself, at a terminal.

using namespace troupe::testing::keys;
using troupe::testing::pseudo_terminal;

namespace {

void start_troupe() {
  setenv("TERM", "xterm", 1);
  setenv("NO_COLOR", "1", 1);
  setenv("TROUPE_HISTORY", "", 1);
  setenv("TROUPE_LANES", "2", 1);
  execl(TROUPE_PROGRAM, TROUPE_PROGRAM, static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

#if defined(TROUPE_LIBEDIT) && TROUPE_LIBEDIT

namespace {

/// Waits for the prompt of an input. The task whose value was shown may not have been counted as
/// ended yet.
void expect_prompt(pseudo_terminal& user, const std::string& number) {
  user.expect("\n");
  user.expect(number);
  user.expect("> ");
}

}  // namespace

TEST_CASE("inputs are typed, edited, recalled and completed at a terminal") {
  pseudo_terminal user(start_troupe, 100);
  user.expect("1> ");
  user.type(std::string("a = [1, 5, 2") + enter);
  user.expect(". ");  // the list is incomplete
  user.type(std::string("]") + enter);
  user.expect("a: int64[3]");
  expect_prompt(user, "2");
  user.type(std::string("argma\t") + "a)" + enter);
  user.expect("1  int64[] on cpu:0");
  expect_prompt(user, "3");
  user.type(std::string("a * 34") + left + "\b" + enter);  // a * 4
  user.expect("[ 4 20  8]  int64[3] on cpu:0");
  expect_prompt(user, "4");
  user.type(std::string(up) + " + 1" + enter);
  user.expect("[ 5 21  9]  int64[3] on cpu:0");
  expect_prompt(user, "5");
  user.type(std::string("nothing") + enter);
  user.expect("error: nothing is named nothing");
  expect_prompt(user, "6");
  user.type(ctrl_d);
  CHECK(user.wait() == 0);
}

TEST_CASE("Ctrl-C stops waiting, a second one cancels, and neither ends the session") {
  pseudo_terminal user(start_troupe, 100);
  user.expect("1> ");
  user.type(std::string(":slow 2s") + enter);
  user.expect("2> ");
  user.type(std::string("x = ones(3) + 1 + 1") + enter);
  user.expect("pending]> ");
  user.type(std::string("x") + enter);
  user.expect("... waits: queued");
  user.type(ctrl_c);
  user.expect("stopped");
  user.expect("pending]> ");
  user.type(ctrl_c);
  user.expect("cancelled");
  user.expect("> ");
  user.type(std::string("1 + 1") + enter);
  user.expect("2\r\n");
  user.type(std::string("x") + enter);
  user.expect("error: ");
  user.expect("cancelled");
  user.expect("> ");
  user.type(std::string(":quit") + enter);
  CHECK(user.wait() == 0);
}

TEST_CASE("Ctrl-C ends a loop") {
  pseudo_terminal user(start_troupe, 100);
  user.expect("1> ");
  for (const std::string loop : {"repeat 1000000000 { n = 1 }", "while true { }"}) {
    user.type(loop + enter);
    user.expect("}\r\n");
    user.type(ctrl_c);
    user.expect("stopped");
    user.expect("> ");
  }
  user.type(ctrl_d);
  CHECK(user.wait() == 0);
}

TEST_CASE("Ctrl-C stops waiting for an argument") {
  pseudo_terminal user(start_troupe, 100);
  user.expect("1> ");
  user.type(std::string(":slow 60s add") + enter);
  user.expect("2> ");
  user.type(std::string("n = arange(5).max() + 1") + enter);
  user.expect("pending]> ");
  for (const std::string input :
       {"arange(n)", "ones(n, 2)", "reshape(arange(6), [n, 1])", "full(2, n)", "sum(ones(2), n)",
        "[1, 2, 3][n]", "0:n", "save(\"never.npy\", n)", "repeat n { 1 }", "if n { 1 }"}) {
    user.type(input + enter);
    user.expect("... waits");
    user.type(ctrl_c);
    user.expect("stopped");
    user.expect("pending]> ");
  }
  user.type(std::string(":cancel") + enter);
  user.expect("> ");
  user.type(std::string(":quit") + enter);
  CHECK(user.wait() == 0);
}

TEST_CASE("Ctrl-D asks once while work is pending") {
  pseudo_terminal user(start_troupe, 100);
  user.expect("1> ");
  user.type(std::string(":slow 2s") + enter);
  user.expect("2> ");
  user.type(std::string("x = ones(3) + 1") + enter);
  user.expect("pending]> ");
  user.type(ctrl_d);
  user.expect("pending: Ctrl-D again waits and leaves");
  user.expect("> ");
  user.type(ctrl_d);
  CHECK(user.wait() == 0);
}

TEST_CASE("Ctrl-C while a session that was left waits for its tasks cancels them") {
  pseudo_terminal user(start_troupe, 100);
  user.expect("1> ");
  user.type(std::string(":slow 1s") + enter);
  user.expect("2> ");
  user.type(std::string("x = ones(3); for i in 0:1000 { x = x + 1 }") + enter);
  user.expect("pending]> ");
  user.type(ctrl_d);
  user.expect("pending: Ctrl-D again waits and leaves");
  user.expect("> ");
  user.type(ctrl_d);
  user.expect("\n");
  user.type(ctrl_c);
  CHECK(user.wait() == 130);
}

TEST_CASE("several lines that are pasted are one input") {
  pseudo_terminal user(start_troupe, 100);
  user.expect("1> ");
  user.type(std::string("\033[200~s = 0\nfor i in 0:4 {\n  s = s + i\n}\ns\033[201~") + enter);
  user.expect("6\r\n");
  user.expect("2> ");
  user.type(ctrl_d);
  CHECK(user.wait() == 0);
}

#endif
