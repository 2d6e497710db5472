// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>

namespace troupe::detail {

/// Scope in which tasks of this thread count as called from one line of the user's, such as the
/// call of the operation whose gradient is computed; so do mistakes that the library's own lines
/// would be named for.
class on_behalf_of {
 public:
  explicit on_behalf_of(const std::source_location& line) noexcept : before_(line_) {
    line_ = &line;
  }
  on_behalf_of(const on_behalf_of&) = delete;
  on_behalf_of& operator=(const on_behalf_of&) = delete;
  ~on_behalf_of() { line_ = before_; }

  /// Returns that line, or null if there is none.
  static const std::source_location* line() noexcept { return line_; }

 private:
  static inline thread_local constinit const std::source_location* line_ = nullptr;
  const std::source_location* before_;
};

}  // namespace troupe::detail
