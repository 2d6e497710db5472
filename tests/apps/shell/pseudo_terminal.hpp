// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>

namespace troupe::testing {

namespace keys {
inline constexpr auto up = "\033[A", down = "\033[B", left = "\033[D", right = "\033[C",
                      enter = "\r", ctrl_c = "\003", ctrl_d = "\004";
}  // namespace keys

/// Program at a terminal of its own, with a person's keys and screen. The program is a copy of this
/// process that runs a function and ends.
class pseudo_terminal {
 public:
  pseudo_terminal(const std::function<void()>& program, int columns = 80, int rows = 24);
  ~pseudo_terminal();
  pseudo_terminal(const pseudo_terminal&) = delete;
  pseudo_terminal& operator=(const pseudo_terminal&) = delete;

  void type(const std::string& keys);
  void resize(int columns, int rows);
  /// Waits for a text after the one waited for before, and returns all output up to there. A test
  /// that waits in vain fails.
  std::string expect(const std::string& text);
  /// Waits until the program ends. Returns its exit status, or minus the signal that ended it.
  int wait();
  /// Returns the terminal's local flags, as tcgetattr has them.
  unsigned local_flags() const;
  pid_t program() const noexcept { return program_; }

 private:
  using clock = std::chrono::steady_clock;
  enum class news { output, end, none };

  news wait_for_more(clock::time_point deadline);
  bool read_more();

  int terminal_ = -1;
  pid_t program_ = -1;
  std::string seen_;
};

}  // namespace troupe::testing
