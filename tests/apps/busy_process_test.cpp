// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/busy_process.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>

using namespace troupe::bench;

namespace {

/// Starts a process that starts a busy one, says its id and waits to be killed.
[[noreturn]] void start_and_wait(int channel) {
  const rlimit at_most{1, 60};  // seconds: should it survive, it ends by SIGXCPU
  setrlimit(RLIMIT_CPU, &at_most);
  const busy_process busy;
  const auto id = busy.id();
  if (write(channel, &id, sizeof id) != sizeof id) _exit(1);
  for (;;) pause();
}

}  // namespace

TEST_CASE("a busy process is there as long as its object") {
  pid_t id = 0;
  {
    const busy_process busy;
    id = busy.id();
    CHECK(kill(id, 0) == 0);
  }
  CHECK((kill(id, 0) == -1 && errno == ESRCH));
}

TEST_CASE("a busy process ends with one that is killed") {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const auto parent = fork();
  REQUIRE(parent != -1);
  if (parent == 0) start_and_wait(ends[1]);
  pid_t id = 0;
  REQUIRE(read(ends[0], &id, sizeof id) == sizeof id);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  int status = 0;
  CHECK(waitpid(id, &status, 0) == id);
  // It is killed; or leaves by itself, if it had not yet asked to be.
  CHECK(((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) || WIFEXITED(status)));
  close(ends[0]);
  close(ends[1]);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}
