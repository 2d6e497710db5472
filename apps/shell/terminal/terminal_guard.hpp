// SPDX-License-Identifier: MIT
#pragma once

#include <termios.h>

#include <csignal>
#include <cstddef>

namespace troupe::shell {

/// Settings of a terminal that are put back as they were when this was made: when it goes, and also
/// if meanwhile another thread calls exit() or crashes. One at a time.
class terminal_guard {
 public:
  explicit terminal_guard(int file_descriptor) noexcept;
  ~terminal_guard();
  terminal_guard(const terminal_guard&) = delete;
  terminal_guard& operator=(const terminal_guard&) = delete;

 private:
  void give_back() const noexcept;
  static void on_exit() noexcept;
  static void on_crash(int signal, siginfo_t* facts, void*);

  int descriptor_;
  termios before_{};
  bool known_;  ///< the state at construction is known
  static constexpr int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  static constexpr std::size_t kinds = sizeof crashes / sizeof *crashes;
  struct sigaction handlers_before_[kinds] = {};
};

}  // namespace troupe::shell
