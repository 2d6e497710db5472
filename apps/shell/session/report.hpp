// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "troupe/apps/shell/evaluator/evaluator_host.hpp"
#include "troupe/apps/shell/evaluator/shell_value.hpp"
#include "troupe/apps/shell/session/sources.hpp"

namespace troupe::shell {

/// Error in an input, and its place.
struct mistake {
  std::string facts;          ///< one line
  std::string position = {};  ///< such as "input 3"; empty: nowhere in particular
  std::optional<quoted_line> line = {};
};

/// Output of the shell: for people or for programs.
class report {
 public:
  virtual ~report() = default;

  /// Sets the number of the input that the following is about.
  void about(unsigned input) noexcept { input_ = input; }
  /// Returns true if it shows the progress of arrays and how long they were waited for.
  bool chatty() const noexcept { return chatty_; }
  void set_chatty(bool on) noexcept { chatty_ = on; }

  /// Shows a value that is ready; `waited` is how long that took, in seconds.
  virtual void value(const shell_value& x, double waited) = 0;
  /// Shows the new value of a name and its progress.
  virtual void state(const std::string& name, const shell_value& x,
                     const std::string& progress) = 0;
  virtual void timing(const block_timing& t) = 0;
  virtual void error(const mistake& m) = 0;
  /// Shows the output of a command: lines that end in newlines.
  virtual void text(const std::string& lines) = 0;

 protected:
  unsigned input_ = 0;

 private:
  bool chatty_ = false;
};

/// Returns a shell_value as people read it. Arrays in it must be ready.
std::string to_text(const shell_value& x);

}  // namespace troupe::shell
