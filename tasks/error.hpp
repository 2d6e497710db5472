// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

namespace troupe {

/// Base of all exceptions for user mistakes. The text is one line that ends in the user's file and
/// line: `matmul: inner sizes differ: float32[2,3] and float32[4,5] (model.cpp:41)`.
class error : public std::runtime_error {
 public:
  error(const std::string& facts, std::source_location call_site);

  /// Returns the call in the user's program that caused the error.
  const std::source_location& where() const noexcept { return call_site_; }

 protected:
  struct verbatim {};
  error(verbatim, const std::string& text, std::source_location call_site)
      : std::runtime_error(text), call_site_(call_site) {}

 private:
  std::source_location call_site_;
};

/// Thrown for memory that does not fit under a strict memory limit.
class over_limit final : public std::bad_alloc {
 public:
  over_limit(std::size_t wanted, std::size_t live, std::size_t limit);

  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Reason why a value failed. Shared by all values that failed for the same reason.
struct failure {
  enum class reason { failed, cancelled };

  std::string text;   ///< whole line, call site included
  std::string facts;  ///< of it, what is behind the operation's name and before its operands
  std::source_location call_site;
  std::uint64_t sequence = 0;  ///< number of the task that failed first
  reason why = reason::failed;
  mutable std::atomic<bool> reported = false;  ///< a client has received it
};

using failure_ptr = std::shared_ptr<const failure>;

/// Returns the failure of all tasks whose own failure could not be described for lack of memory.
const failure_ptr& failure_without_memory() noexcept;

/// Error thrown by reading a value whose task, or any task before it, failed.
class task_error : public error {
 public:
  explicit task_error(const failure& f, const std::string& more = "")
      : error(verbatim{}, f.text + more, f.call_site) {}
};

/// Error thrown by reading a value whose task was cancelled.
class cancelled_error final : public task_error {
 public:
  using task_error::task_error;
};

/// Throws the error that stands for `f` and marks it as reported. `more` is appended to its text.
[[noreturn]] void raise(const failure& f, const std::string& more = "");

/// Returns the call site in brackets: " (model.cpp:41)".
std::string call_site_text(const std::source_location& call_site);

/// Returns one line for the failures that no client has received: the earliest in program order and
/// the number of others. Empty if there is none; cancelled tasks do not count.
std::string text_of_unreported(std::vector<failure_ptr> failures, std::uint64_t not_kept = 0);

/// Throws the earliest unreported failure in program order, with the number of further ones; all of
/// them then count as reported. Cancelled tasks come last. Returns if there is none. `not_kept` is
/// the number of failures missing from the list.
void raise_first(std::vector<failure_ptr>& failures, std::uint64_t not_kept = 0);

}  // namespace troupe
