// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace troupe {

/// Scope in which the calling thread is counted among those that wait.
template <class Count>
class waiting_scope {
 public:
  explicit waiting_scope(std::atomic<Count>& waiting) noexcept : waiting_(waiting) { ++waiting_; }
  waiting_scope(const waiting_scope&) = delete;
  waiting_scope& operator=(const waiting_scope&) = delete;
  ~waiting_scope() { --waiting_; }

 private:
  std::atomic<Count>& waiting_;
};

}  // namespace troupe
