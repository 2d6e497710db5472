// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <initializer_list>
#include <utility>
#include <vector>

namespace troupe::shell {

/// Counter of Ctrl-C, which does not end the program while this lives; blocking system calls return
/// early. The latest of several objects counts; they must be destroyed in reverse order.
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

/// Watch that queues signals while it lives, to be taken one after the other. Signals that the
/// program ignores stay ignored, except SIGINT. Signals left in the end are then raised, so a
/// Ctrl-C right after a line is not lost. Only one watch may live at a time.
class signal_watch {
 public:
  /// Throws std::system_error if there are no file descriptors left.
  explicit signal_watch(std::initializer_list<int> signals);
  ~signal_watch();
  signal_watch(const signal_watch&) = delete;
  signal_watch& operator=(const signal_watch&) = delete;

  /// Takes the next signal, 0 if there is none.
  int take() noexcept;
  /// Raises a signal as without the watch; may not return.
  void pass_on(int signal) noexcept;
  /// Waits until the file can be read or has ended, or a signal can be taken. Returns true if it is
  /// the file alone.
  bool wait_for(int file_descriptor) noexcept;

 private:
  std::vector<std::pair<int, struct sigaction>> previous_;
};

/// Terminal opened a second time, so that reading this descriptor alone never blocks: Ctrl-C
/// discards the typed text, and a reader just told of input would block until the next key and miss
/// the Ctrl-C. Other files, and terminals that cannot be opened, stay as they are.
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
