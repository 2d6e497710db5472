// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/terminal_guard.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace troupe::shell {

namespace {

// A signal handler gets no argument of ours, so this cannot be a member.
std::atomic<const terminal_guard*> current{nullptr};

}  // namespace

terminal_guard::terminal_guard(int file_descriptor) noexcept
    : descriptor_(file_descriptor), known_(tcgetattr(file_descriptor, &before_) == 0) {
  [[maybe_unused]] static const int registered = std::atexit(on_exit);
  current = this;
  struct sigaction first {};
  first.sa_sigaction = on_crash;
  first.sa_flags = SA_SIGINFO;
  sigemptyset(&first.sa_mask);
  for (std::size_t i = 0; i < kinds; ++i) sigaction(crashes[i], &first, &handlers_before_[i]);
}

terminal_guard::~terminal_guard() {
  for (std::size_t i = 0; i < kinds; ++i) sigaction(crashes[i], &handlers_before_[i], nullptr);
  current = nullptr;
  if (known_) tcsetattr(descriptor_, TCSADRAIN, &before_);
}

/// Restores the terminal. Calls only functions that a signal handler may call.
void terminal_guard::give_back() const noexcept {
  constexpr char plain[] = "\033[?2004l\033[0m\r\n";  // no bracketed paste, no colour
  if (!known_) return;
  [[maybe_unused]] const auto written = write(descriptor_, plain, sizeof plain - 1);
  tcsetattr(descriptor_, TCSANOW, &before_);
}

void terminal_guard::on_exit() noexcept {
  if (const auto* guard = current.exchange(nullptr)) guard->give_back();
}

void terminal_guard::on_crash(int signal, siginfo_t* facts, void*) {
  const int saved = errno;
  const auto* guard = current.exchange(nullptr);
  if (guard) guard->give_back();
  for (std::size_t i = 0; i < kinds; ++i) {
    if (crashes[i] == signal && guard) sigaction(signal, &guard->handlers_before_[i], nullptr);
  }
  // A fault happens again, now with the earlier handler; a sent signal has to be sent again.
  if (facts->si_code <= 0) ::raise(signal);
  errno = saved;
}

}  // namespace troupe::shell
