// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace troupe::shell {

/// While it lives, Ctrl-C is counted and does not end the program; system calls that wait are cut
/// short. Of several, the one made last counts; they go in the opposite order.
class interrupts {
 public:
  interrupts();
  ~interrupts();
  interrupts(const interrupts&) = delete;
  interrupts& operator=(const interrupts&) = delete;

  /// How many there were since it was made or cleared. Any thread may ask.
  int count() const noexcept;
  void clear() noexcept;

 private:
  struct sigaction previous_ {};
  int count_before_;
};

}  // namespace troupe::shell
