// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <initializer_list>
#include <utility>
#include <vector>

namespace troupe::shell {

/// While it lives, the signals do nothing but wait here to be taken, one after the other. Those
/// that the program ignores stay ignored, but for SIGINT. What nobody has taken in the end happens
/// to the program then: a Ctrl-C that follows a line at once is not lost. One at a time.
class signal_watch {
 public:
  /// Throws std::system_error if there are no file descriptors left.
  explicit signal_watch(std::initializer_list<int> signals);
  ~signal_watch();
  signal_watch(const signal_watch&) = delete;
  signal_watch& operator=(const signal_watch&) = delete;

  /// The next signal, 0 if there is none.
  int take() noexcept;
  /// Does what the program would have done without the watch; may not return.
  void pass_on(int signal) noexcept;

  /// Waits until the file has something to read, or its end, or a signal can be taken: true if it
  /// is the file alone.
  bool wait_for(int file_descriptor) noexcept;

 private:
  void install(int signal);

  std::vector<std::pair<int, struct sigaction>> previous_;
};

}  // namespace troupe::shell
