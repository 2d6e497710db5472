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

// A handler is given nothing but the signal, so this cannot be a member.
std::atomic<int> write_end{-1};

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

}  // namespace

signal_watch::signal_watch(std::initializer_list<int> signals) {
  int ends[2];
  if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  pipe_ = {ends[0], ends[1]};
  keep_to_ourselves(pipe_.read);
  keep_to_ourselves(pipe_.write);
  write_end_before_ = write_end.exchange(pipe_.write);
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
  write_end = write_end_before_;
  close(pipe_.read);
  close(pipe_.write);
}

int signal_watch::take() noexcept {
  unsigned char byte = 0;
  ssize_t taken;
  do taken = read(pipe_.read, &byte, 1);
  while (taken < 0 && errno == EINTR);
  return taken == 1 ? byte : 0;
}

void signal_watch::pass_on(int signal) noexcept {
  const auto known = std::find_if(previous_.begin(), previous_.end(),
                                  [signal](const auto& p) { return p.first == signal; });
  if (known == previous_.end()) return;
  struct sigaction ours {};
  sigaction(signal, &known->second, &ours);
  raise(signal);
  sigaction(signal, &ours, nullptr);
}

bool signal_watch::wait_for(int file_descriptor) noexcept {
  pollfd both[] = {{pipe_.read, POLLIN, 0}, {file_descriptor, POLLIN, 0}};
  while (poll(both, 2, -1) < 0)
    if (errno != EINTR && errno != EAGAIN) return true;
  return both[0].revents == 0;
}

}  // namespace troupe::shell
