// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/busy_process.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace troupe::bench {

namespace {

[[noreturn]] void compute_forever(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it ended before the line above
  for (volatile unsigned count = 0;;) count = count + 1;
}

}  // namespace

busy_process::busy_process() {
  const auto parent = getpid();
  id_ = fork();
  if (id_ == 0) compute_forever(parent);
  if (id_ == -1) throw std::system_error(errno, std::generic_category(), "a busy process");
}

busy_process::~busy_process() {
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

}  // namespace troupe::bench
