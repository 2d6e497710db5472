// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/signal_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace troupe::shell {

namespace {

// A handler is given nothing but the signal, so these cannot be members. They stay open: another
// thread may still be in the handler when the watch is gone.
std::atomic<int> read_end{-1}, write_end{-1};
static_assert(std::atomic<int>::is_always_lock_free, "a handler may not wait for a lock");

void write_down(int signal) {
  const int saved = errno;
  const auto byte = static_cast<unsigned char>(signal);
  // A full pipe holds more signals than anybody has use for.
  [[maybe_unused]] const auto written = write(write_end, &byte, 1);
  errno = saved;
}

void keep_to_ourselves(int descriptor) {
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/// A copy that fork() made needs one of its own.
void open_pipe() {
  static pid_t owner = 0;
  if (owner == getpid()) return;
  int ends[2];
  if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  for (const int end : ends) keep_to_ourselves(end);
  read_end = ends[0];
  write_end = ends[1];
  owner = getpid();
}

}  // namespace

signal_watch::signal_watch(std::initializer_list<int> signals) {
  open_pipe();
  while (take() != 0)
    ;  // written by another thread that was still in the handler when the watch before ended
  previous_.reserve(signals.size());
  for (const int signal : signals) install(signal);
}

void signal_watch::install(int signal) {
  struct sigaction before {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN && signal != SIGINT) return;
  struct sigaction ours {};
  ours.sa_handler = write_down;
  sigfillset(&ours.sa_mask);
  sigaction(signal, &ours, nullptr);
  previous_.emplace_back(signal, before);
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
  const auto known = std::find_if(previous_.begin(), previous_.end(),
                                  [signal](const auto& p) { return p.first == signal; });
  if (known == previous_.end()) return;
  struct sigaction ours {};
  sigaction(signal, &known->second, &ours);
  ::raise(signal);
  sigaction(signal, &ours, nullptr);
}

bool signal_watch::wait_for(int file_descriptor) noexcept {
  if (file_descriptor < 0) return true;  // poll would wait for the pipe alone
  pollfd both[] = {{read_end, POLLIN, 0}, {file_descriptor, POLLIN, 0}};
  while (poll(both, 2, -1) < 0)
    if (errno != EINTR && errno != EAGAIN) return true;
  return both[0].revents == 0;
}

}  // namespace troupe::shell
