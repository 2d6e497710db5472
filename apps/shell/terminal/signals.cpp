// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/signals.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

namespace troupe::shell {

namespace {

// A handler is given nothing but the signal, so these cannot be members. The pipe stays open:
// another thread may still be in the handler when the watch is gone.
std::atomic<int> counted{0}, read_end{-1}, write_end{-1};
static_assert(std::atomic<int>::is_always_lock_free, "a handler may not wait for a lock");

void count_one(int) { counted.fetch_add(1, std::memory_order_relaxed); }

void write_down(int signal) {
  const int saved = errno;
  const auto byte = static_cast<unsigned char>(signal);
  // A full pipe holds more signals than are ever needed.
  [[maybe_unused]] const auto written = write(write_end, &byte, 1);
  errno = saved;
}

/// Opens the pipe; a process that fork() made needs one of its own.
void open_pipe() {
  static pid_t owner = 0;
  if (owner == getpid()) return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  read_end = ends[0];
  write_end = ends[1];
  owner = getpid();
}

}  // namespace

interrupts::interrupts() : count_before_(counted.exchange(0)) {
  struct sigaction count {};
  count.sa_handler = count_one;
  sigemptyset(&count.sa_mask);
  sigaction(SIGINT, &count, &previous_);
}

interrupts::~interrupts() {
  sigaction(SIGINT, &previous_, nullptr);
  counted = count_before_;
}

int interrupts::count() const noexcept { return counted; }

void interrupts::clear() noexcept { counted = 0; }

signal_watch::signal_watch(std::initializer_list<int> signals) {
  open_pipe();
  while (take() != 0)
    ;  // written by another thread that was still in the handler when the watch before ended
  previous_.reserve(signals.size());
  struct sigaction before {
  }, ours{};
  ours.sa_handler = write_down;
  sigfillset(&ours.sa_mask);
  for (const int signal : signals) {
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN && signal != SIGINT) continue;
    sigaction(signal, &ours, nullptr);
    previous_.emplace_back(signal, before);
  }
}

signal_watch::~signal_watch() {
  for (const auto& [signal, before] : previous_) sigaction(signal, &before, nullptr);
  while (const int signal = take()) ::raise(signal);
}

int signal_watch::take() noexcept {
  unsigned char byte = 0;
  ssize_t taken;
  do taken = read(read_end, &byte, 1);
  while (taken < 0 && errno == EINTR);
  return taken == 1 ? byte : 0;
}

void signal_watch::pass_on(int signal) noexcept {
  for (const auto& [known, before] : previous_) {
    if (known != signal) continue;
    struct sigaction ours {};
    sigaction(signal, &before, &ours);
    ::raise(signal);
    sigaction(signal, &ours, nullptr);
  }
}

bool signal_watch::wait_for(int file_descriptor) noexcept {
  if (file_descriptor < 0) return true;  // poll would wait for the pipe alone
  pollfd both[] = {{read_end, POLLIN, 0}, {file_descriptor, POLLIN, 0}};
  while (poll(both, 2, -1) < 0) {
    if (errno != EINTR && errno != EAGAIN) return true;
  }
  return both[0].revents == 0;
}

unblocked_input::unblocked_input(int file_descriptor) noexcept : original_(file_descriptor) {
  char name[256];
  if (ttyname_r(file_descriptor, name, sizeof name) == 0)
    own_ = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

unblocked_input::~unblocked_input() {
  if (own_ >= 0) close(own_);
}

}  // namespace troupe::shell
