// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <initializer_list>
#include <utility>
#include <vector>

namespace troupe::shell {

/// Count of Ctrl-C, which does not end the program while this lives; system calls that wait are cut
/// short. Of several, the one made last counts; they go in the opposite order.
class interrupts {
 public:
  interrupts();
  ~interrupts();
  interrupts(const interrupts&) = delete;
  interrupts& operator=(const interrupts&) = delete;

  /// Returns how many there were since it was made or cleared. Any thread may ask.
  int count() const noexcept;
  void clear() noexcept;

 private:
  struct sigaction previous_ {};
  int count_before_;
};

/// Signals that, while it lives, do nothing but wait here to be taken, one after the other. Those
/// that the program ignores stay ignored, but for SIGINT. What nobody has taken in the end happens
/// to the program then: a Ctrl-C that follows a line at once is not lost. One at a time.
class signal_watch {
 public:
  /// Throws std::system_error if there are no file descriptors left.
  explicit signal_watch(std::initializer_list<int> signals);
  ~signal_watch();
  signal_watch(const signal_watch&) = delete;
  signal_watch& operator=(const signal_watch&) = delete;

  /// Takes the next signal, 0 if there is none.
  int take() noexcept;
  /// Does what the program would have done without the watch; may not return.
  void pass_on(int signal) noexcept;
  /// Waits until the file has something to read, or its end, or a signal can be taken: true if it
  /// is the file alone.
  bool wait_for(int file_descriptor) noexcept;

 private:
  std::vector<std::pair<int, struct sigaction>> previous_;
};

/// Terminal that is opened once more, so that reading it does not wait, here alone: Ctrl-C throws
/// away what has been typed, and who has just been told that there is something to read would wait
/// for the next key and not hear of Ctrl-C. Other files, and terminals that cannot be opened, stay
/// as they are.
class unblocked_input {
 public:
  explicit unblocked_input(int file_descriptor) noexcept;
  ~unblocked_input();
  unblocked_input(const unblocked_input&) = delete;
  unblocked_input& operator=(const unblocked_input&) = delete;

  int get() const noexcept { return own_ >= 0 ? own_ : original_; }

 private:
  int original_;
  int own_ = -1;
};

}  // namespace troupe::shell
