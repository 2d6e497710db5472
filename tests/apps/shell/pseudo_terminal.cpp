// SPDX-License-Identifier: MIT
#include "troupe/tests/apps/shell/pseudo_terminal.hpp"

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace troupe::testing {

namespace {

constexpr auto patience = std::chrono::seconds(60);

winsize size_of(int columns, int rows) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  return size;
}

/// Runs the program in the copy; never returns to the test.
[[noreturn]] void run(const std::function<void()>& program) {
  // Programs that are started in the background may have been told to ignore Ctrl-C; Catch has
  // handlers.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV})
    std::signal(signal, SIG_DFL);
  setenv("TERM", "xterm", 1);
  setenv("EDITRC", "/dev/null", 0);
  int status = 0;
  try {
    program();
  } catch (const std::exception& e) {
    std::printf("exception: %s\n", e.what());
    status = 1;
  }
  std::fflush(stdout);
  tcdrain(STDOUT_FILENO);
  _exit(status);
}

}  // namespace

pseudo_terminal::pseudo_terminal(const std::function<void()>& program, int columns, int rows) {
  const auto size = size_of(columns, rows);
  std::fflush(stdout);
  program_ = forkpty(&terminal_, nullptr, nullptr, &size);
  if (program_ < 0) FAIL("no pseudo terminal is to be had");
  if (program_ == 0) run(program);
}

pseudo_terminal::~pseudo_terminal() {
  close(terminal_);
  if (program_ < 0) return;
  kill(program_, SIGKILL);
  waitpid(program_, nullptr, 0);
}

void pseudo_terminal::type(const std::string& keys) {
  for (std::size_t done = 0; done < keys.size();) {
    // The program blocks unless its output is read meanwhile.
    pollfd ready{terminal_, POLLIN | POLLOUT, 0};
    if (poll(&ready, 1, -1) < 0 && errno != EINTR) FAIL("cannot type");
    if (ready.revents & POLLIN) read_more();
    if (!(ready.revents & POLLOUT)) continue;
    const auto n =
        write(terminal_, keys.data() + done, std::min<std::size_t>(keys.size() - done, 256));
    if (n < 0 && errno != EINTR && errno != EAGAIN) FAIL("cannot type");
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

void pseudo_terminal::resize(int columns, int rows) {
  const auto size = size_of(columns, rows);
  ioctl(terminal_, TIOCSWINSZ, &size);
}

bool pseudo_terminal::read_more() {
  char some[4096];
  const auto n = read(terminal_, some, sizeof some);
  if (n > 0) seen_.append(some, static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

pseudo_terminal::news pseudo_terminal::wait_for_more(clock::time_point deadline) {
  using std::chrono::milliseconds;
  const auto left = std::chrono::duration_cast<milliseconds>(deadline - clock::now()).count();
  pollfd ready{terminal_, POLLIN, 0};
  const int came = left > 0 ? poll(&ready, 1, static_cast<int>(left)) : 0;
  if (came == 0) return news::none;
  return came < 0 || read_more() ? news::output : news::end;
}

std::string pseudo_terminal::expect(const std::string& text) {
  const auto deadline = clock::now() + patience;
  for (;;) {
    if (const auto at = seen_.find(text); at != std::string::npos) {
      auto before = seen_.substr(0, at);
      seen_.erase(0, at + text.size());
      return before;
    }
    const auto what = wait_for_more(deadline);
    if (what == news::output) continue;
    INFO("waited for: " << text << "\nbut saw: " << seen_);
    FAIL((what == news::end ? "the program ended" : "it took too long"));
  }
}

int pseudo_terminal::wait() {
  const auto deadline = clock::now() + patience;
  auto what = news::output;
  while (what == news::output) what = wait_for_more(deadline);
  if (what == news::none) FAIL("the program does not end");
  int status = 0;
  while (waitpid(program_, &status, 0) < 0 && errno == EINTR)
    ;
  program_ = -1;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

unsigned pseudo_terminal::local_flags() const {
  termios settings{};
  tcgetattr(terminal_, &settings);
  return settings.c_lflag;
}

}  // namespace troupe::testing
