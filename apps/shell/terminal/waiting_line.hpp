// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace troupe::shell {

/// A line at the bottom of the terminal that says what is waited for, and goes away.
class waiting_line {
 public:
  /// `shown`: there is a terminal.
  explicit waiting_line(bool shown) noexcept : shown_(shown) {}
  waiting_line(const waiting_line&) = delete;
  waiting_line& operator=(const waiting_line&) = delete;
  ~waiting_line() { show(""); }

  /// Says it, or goes away for an empty text.
  void show(const std::string& what);

 private:
  bool shown_;
  std::string there_;
};

}  // namespace troupe::shell
